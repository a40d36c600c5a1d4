// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "snellen/base/descriptor.h"
#include "snellen/models/exec/protocol.h"

namespace snellen::models::exec {

struct ConversationOptions {
  std::string command;
  int64_t frames = 8;     // what the adapter is asked for: how many frames a clip is cut to
  double timeout_s = 60;  // longest silence while answers are awaited
  double start_timeout_s = 600;
  unsigned max_restarts = 3;
  size_t max_in_flight = 16;                            // requests that the adapter holds at once
  std::function<void(std::string_view line)> say = {};  // what it writes for people
};

// A request on its way, and its answer.
struct Pending {
  Request request;
  uint64_t item = 0;  // requests of one item succeed or fail together
  bool is_retried = false;
  std::optional<Result<std::vector<double>>> answer = std::nullopt;
};

// Talks with an adapter program: a bounded number of requests at once, answers in any order. When
// the program ends, hangs or breaks the protocol it is restarted and what it held is asked once
// more, one request at a time, so that the one that breaks it is known and fails alone. After
// `max_restarts` of that the conversation is over.
//
// Safe from many threads.
class Conversation {
 public:
  // Returns when the adapter is ready; throws why it is not.
  explicit Conversation(ConversationOptions options);
  // Says good-bye, waits a little, and ends the program with all it started.
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  const Ready& ready() const { return ready_; }

  // All requests of one item; they get their ids here.
  std::vector<std::shared_ptr<Pending>> send(std::vector<Request> requests);
  // The answer's scores, higher is better. Throws Stopped when `is_stopped` says so first, and an
  // Error when the conversation is over.
  Result<std::vector<double>> wait(const Pending& pending,
                                   const std::function<bool()>& is_stopped) const;

  struct Counts {
    uint64_t answered = 0;
    unsigned restarts = 0;
  };
  Counts counts() const;

 private:
  class PipeThread;  // runs on the thread; everything that is not shared is in it
  void wake() const;

  const ConversationOptions options_;
  Descriptor bell_;           // rung when there is something new for the pipe thread
  mutable std::mutex mutex_;  // guards the following, and the answers of what is pending
  mutable std::condition_variable changed_;
  std::deque<std::shared_ptr<Pending>> queue_;
  bool is_ready_ = false;
  bool is_closing_ = false;
  std::optional<Error> failure_;  // why the conversation is over
  uint64_t num_items_ = 0;
  uint64_t num_requests_ = 0;
  Counts counts_;
  Ready ready_;          // of the first start; const after the constructor
  std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace snellen::models::exec
