// SPDX-License-Identifier: Apache-2.0
// A deterministic OpenAI-compatible endpoint for trying and testing (docs/spec/bias.md 3.8).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/http/server.h"
#include "snellen/models/openai/mock_pictures.h"

namespace snellen::models::openai {

// What the mock answers: always:TEXT, hash, texture:T:X:Y, refuse, garbage, empty, think, biased:P.
struct MockMode {
  std::string kind = "hash";
  std::string text = {};    // of always
  double threshold = 0;     // of texture; the probability of biased
  std::string below = "A";  // of texture, for smooth pictures
  std::string above = "C";
};
// Throws kUsage.
MockMode mock_mode_of(std::string_view text);

// A fault in a share of the tries: 429, 500, hang, cut, garbage, slow.
struct MockFault {
  std::string kind;
  double share = 0;
};
// "KIND:SHARE"; throws kUsage.
MockFault mock_fault_of(std::string_view text);

struct MockOptions {
  MockMode mode = {};
  size_t num_options = 0;  // letters of hash; 0: as many as the text has option lines
  std::vector<MockFault> faults = {};
  uint64_t seed = 0;
  double retry_after_s = 1;
  double slow_s = 0.3;
  double hang_s = 30;
  double delay_s = 0;
  bool gives_logprobs = true;
};

// The letter of `hash`: its number among `count`.
size_t mock_hash_letter(std::string_view text,
                        const std::vector<std::string>& picture_hashes,
                        size_t count);

// Answers GET /health, /v1/models and /stats, and POST /v1/chat/completions; /v1/completions gives
// prompts back (`echo`) with log-probabilities. Safe from many threads.
class Mock {
 public:
  explicit Mock(MockOptions options)
      : options_(std::move(options)), pictures_(options_.mode.kind == "texture") {}
  http::Response answer(const http::Request& request);
  // Ends those that hang.
  void stop();

 private:
  struct Seen {
    unsigned tries = 0;
    unsigned answers = 0;
    unsigned faults = 0;
  };
  http::Response complete(const std::string& body, bool is_prompt);
  const MockFault* draw_fault(const std::string& hash, unsigned attempt) const;
  http::Response fail(const MockFault& fault, const std::string& body);
  void sleep(double seconds);
  std::string stats() const;

  const MockOptions options_;
  MockPictures pictures_;     // safe from many threads
  mutable std::mutex mutex_;  // guards the following
  std::condition_variable has_stopped_;
  bool is_stopped_ = false;
  std::map<std::string, Seen> seen_;  // by hash of the body
  std::map<std::string, uint64_t> faults_;
  uint64_t num_requests_ = 0;
  uint64_t num_answers_ = 0;
};

}  // namespace snellen::models::openai
