// SPDX-License-Identifier: Apache-2.0
// Sends HTTP requests, many at a time. libcurl stays in client.cc.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "snellen/http/fields.h"

namespace snellen::http {

using Clock = std::chrono::steady_clock;

// A part of a body. Parts that many calls share lie in memory once.
using Piece = std::shared_ptr<const std::string>;

struct Call {
  std::string url;
  Fields headers = {};
  std::vector<Piece> body = {};  // POST with these parts one after the other
};

// What came back, or why nothing did.
struct Reply {
  int status = 0;  // 0: there was no whole answer
  std::string body = {};
  std::string retry_after = {};
  std::string failure = {};      // one sentence where status is 0
  bool is_worth_a_retry = true;  // where status is 0
  bool is_untrusted = false;     // its certificate is not trusted
};

struct ClientOptions {
  double connect_timeout_s = 10;
  double timeout_s = 120;
  size_t max_answer_bytes = size_t{64} << 20;
  size_t max_connections = 64;
  bool is_insecure = false;  // takes any certificate
};

// Redirects are followed within the same scheme, host and port alone: what a call carries goes
// nowhere else. Proxies and certificates are found as libcurl finds them. Safe from many threads.
class Client {
 public:
  // Called on the client's own thread: must not block.
  using Done = std::function<void(Reply&&)>;

  // Throws kUsage in a build without libcurl.
  explicit Client(const ClientOptions& options);
  // Calls under way are given up; each is still told so.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void start(Call call, Done done);
  // Calls `then` on the client's thread at this time, or when it is stopped.
  void at(Clock::time_point time, std::function<void()> then);
  // What the destructor does; nothing may be started afterwards.
  void stop();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace snellen::http
