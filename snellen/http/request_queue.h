// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "snellen/http/client.h"

namespace snellen::http {

struct QueueOptions {
  unsigned concurrency = 4;        // requests under way at once, at most
  double requests_per_minute = 0;  // 0: no limit
  double tokens_per_minute = 0;    // 0: no limit; spent by spend_tokens()
  unsigned retries = 6;            // after the first try
  uint64_t seed = 0;               // of the waits' random part
};

// What a request came to in the end.
struct Delivery {
  Reply reply;
  unsigned attempts = 0;
  double seconds = 0;  // the last try alone
};

struct QueueCounts {
  uint64_t sent = 0;       // tries, the first ones and all others
  uint64_t retries = 0;    // of them not the first of their request
  uint64_t throttled = 0;  // answers with status 429
};

// Sends requests politely: no more at once and per minute than allowed, again after a while what
// failed for now, and fewer at once while the server says that it is too much (status 429: half as
// many, at most once a second; one more after every 20 answers). A request that waits for its next
// try takes no place. Safe from many threads.
class RequestQueue {
 public:
  // A request of the given try; the first is 1.
  using MakeCall = std::function<Call(unsigned attempt)>;
  // Whether a reply with status 200 is whole; one that is not is asked for again.
  using IsWhole = std::function<bool(const Reply&)>;
  using Done = std::function<void(Delivery&&)>;  // on the client's thread: must not block

  // The client must outlive the queue. Requests still open are told their end by the client's.
  RequestQueue(Client& client, const QueueOptions& options);
  ~RequestQueue();

  void send(MakeCall make, IsWhole is_whole, Done done);
  void spend_tokens(uint64_t count);
  QueueCounts counts() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace snellen::http
