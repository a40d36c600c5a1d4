// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/background_writer.h"

#include <utility>

namespace snellen::run {

BackgroundWriter::~BackgroundWriter() {
  {
    std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  changed_.notify_all();
}

void BackgroundWriter::write(std::vector<store::Sample>&& rows) {
  wait();
  if (rows.empty()) return;
  std::vector<store::Sample> spent;
  {
    std::lock_guard lock(mutex_);
    rows_ = std::move(rows);
    spent.swap(spent_);
  }
  changed_.notify_all();
}

bool BackgroundWriter::is_idle() {
  std::vector<store::Sample> spent;
  std::lock_guard lock(mutex_);
  spent.swap(spent_);
  return rows_.empty();
}

void BackgroundWriter::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return rows_.empty(); });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void BackgroundWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_ended_ || !rows_.empty(); });
    if (rows_.empty()) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      add_(rows_);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    spent_ = std::exchange(rows_, {});
    failure_ = failure;
    changed_.notify_all();
  }
}

}  // namespace snellen::run
