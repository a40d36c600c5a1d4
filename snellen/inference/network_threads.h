// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace snellen::inference {

// Threads that do all forwards of a network on a GPU: its libraries take half a second to settle in
// each thread that computes. Safe from many threads.
class NetworkThreads {
 public:
  // Fewer where the system gives no more; throws std::system_error when it gives none.
  explicit NetworkThreads(unsigned count);
  ~NetworkThreads();
  NetworkThreads(const NetworkThreads&) = delete;
  NetworkThreads& operator=(const NetworkThreads&) = delete;

  // Does it in one of the threads and waits for it. It must not throw.
  void run(const std::function<void()>& work);

 private:
  struct Call {
    const std::function<void()>* work;
    bool is_done = false;
  };
  void serve();

  std::mutex mutex_;  // guards waiting_, is_ended_ and every Call
  std::condition_variable changed_;
  std::deque<Call*> waiting_;
  bool is_ended_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace snellen::inference
