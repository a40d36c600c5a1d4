// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/http/client.h"
#include "snellen/http/request_queue.h"
#include "snellen/models/openai/chat.h"

namespace snellen::models::openai {

// How many requests may fail for good before the rest is given up; nothing set: any number.
struct ErrorLimit {
  std::optional<uint64_t> count = {};
  std::optional<double> share = {};  // of those that came to an end, once there are 20
};

struct EndpointOptions {
  std::vector<std::string> base_urls;  // of servers that are alike; each request goes to one
  std::string key = {};                // empty: none is sent
  std::string name_space = {};         // of cache keys
  std::filesystem::path cache;
  size_t max_request_bytes = size_t{20} << 20;
  ErrorLimit max_errors = {};
  http::ClientOptions client = {};
  http::QueueOptions queue = {};
  BodyForm form = {};
  std::function<void(std::string_view line)> debug = {};  // one line per reply, without secrets
  std::function<void(std::string_view line)> say = {};    // once, while nobody has answered yet
};

// What follows a base URL is checked here: http or https, no credentials. Throws kUsage.
void check_base_url(const std::string& url);
// A base URL without its port: servers come back on another one.
std::string without_port(const std::string& url);
// Of cache keys: the one that was given, else the first address without its port.
std::string name_space_of(const EndpointOptions& options);

struct EndpointCounts {
  uint64_t requests = 0;  // distinct ones that were sent
  uint64_t tries = 0;     // with those that were sent again
  uint64_t cached = 0;    // answers that were kept from earlier
  uint64_t throttled = 0;
  uint64_t failed = 0;
  uint64_t prompt_tokens = 0;
  uint64_t completion_tokens = 0;
};

// Asks servers through the cache: each distinct request once, however many ask for it, here or in
// other processes that share the cache. Safe from many threads.
class Endpoint {
 public:
  explicit Endpoint(EndpointOptions options);
  ~Endpoint();

  class Pending;
  using Handle = std::shared_ptr<Pending>;
  // Returns at once.
  Handle send(const ChatRequest& request);

  struct Answer {
    ChatAnswer chat;
    bool is_cached = false;
    unsigned attempts = 0;
    double seconds = 0;
  };
  // An Error is a request that failed for good. Throws what ends a run (a server that cannot be
  // trusted), and models::Stopped.
  Result<Answer> wait(Pending& pending, const std::function<bool()>& is_stopped) const;

  EndpointCounts counts() const;
  // What was learned about the servers, one sentence each.
  std::vector<std::string> notes() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace snellen::models::openai
