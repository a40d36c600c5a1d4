// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/network_threads.h"

#include <system_error>

namespace snellen::inference {

NetworkThreads::NetworkThreads(unsigned count) {
  try {
    while (threads_.size() < count) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // Those that started do the work; without this they would wait for it for ever.
    if (threads_.empty()) throw;
  }
}

NetworkThreads::~NetworkThreads() {
  {
    std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  changed_.notify_all();
}

void NetworkThreads::run(const std::function<void()>& work) {
  Call call{.work = &work};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&call);
  changed_.notify_all();
  changed_.wait(lock, [&] { return call.is_done; });
}

void NetworkThreads::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Call* call = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    (*call->work)();
    lock.lock();
    call->is_done = true;
    changed_.notify_all();
  }
}

}  // namespace snellen::inference
