// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "snellen/store/samples.h"

namespace snellen::run {

// Commits rows while the next ones are made: one batch at a time, in the order they came. One
// thread hands over; nobody else uses what they are added to until all is written.
class BackgroundWriter {
 public:
  // Its thread starts at once: later the threads that make rows may have taken all there are.
  using Add = std::function<void(std::vector<store::Sample>& rows)>;
  explicit BackgroundWriter(Add add) : add_(std::move(add)), thread_([this] { work(); }) {}
  // Writes what it was handed.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  // Waits for the batch before; throws what was wrong with it.
  void write(std::vector<store::Sample>&& rows);
  // Whether write() would not wait. Frees what was written.
  bool is_idle();
  // Until all is written; throws what was wrong with it, once.
  void wait();

 private:
  void work();

  const Add add_;
  std::mutex mutex_;  // guards the rest but the thread
  std::condition_variable changed_;
  std::vector<store::Sample> rows_;   // being written, or next
  std::vector<store::Sample> spent_;  // written; freed by who hands over, who has more time
  bool is_ended_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace snellen::run
