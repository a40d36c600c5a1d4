// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/conversation.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "snellen/models/exec/pipe_thread.h"
#include "snellen/models/model.h"

namespace snellen::models::exec {
namespace {

constexpr std::chrono::milliseconds kLookForStop{50};

}  // namespace

Conversation::Conversation(ConversationOptions options)
    : options_(std::move(options)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!bell_.is_open())
    throw Error{ErrorCode::kIo,
                fmt::format("cannot make an event: {}", std::strerror(errno)),
                "adapter",
                "close some programs and try again"};
  // Made here: a thread that fails before it runs could tell nobody.
  thread_ = std::jthread([pipes = std::make_shared<PipeThread>(*this)] { pipes->run(); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_ready_ || failure_; });
  if (failure_) {
    Error failure = *failure_;
    lock.unlock();
    thread_.join();
    throw failure;
  }
}

Conversation::~Conversation() {
  {
    std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  wake();
}

void Conversation::wake() const {
  uint64_t one = 1;
  // A bell that is full rings already.
  (void)!::write(bell_.get(), &one, sizeof one);
}

std::vector<std::shared_ptr<Pending>> Conversation::send(std::vector<Request> requests) {
  std::vector<std::shared_ptr<Pending>> sent;
  {
    std::lock_guard lock(mutex_);
    for (Request& request : requests) {
      request.id = fmt::format("{}", num_requests_++);
      sent.push_back(
          std::make_shared<Pending>(Pending{.request = std::move(request), .item = num_items_}));
    }
    ++num_items_;
    queue_.insert(queue_.end(), sent.begin(), sent.end());
  }
  wake();
  return sent;
}

Result<std::vector<double>> Conversation::wait(const Pending& pending,
                                               const std::function<bool()>& is_stopped) const {
  std::unique_lock lock(mutex_);
  while (!pending.answer && !failure_) {
    changed_.wait_for(lock, kLookForStop);
    if (is_stopped && !pending.answer && is_stopped()) throw Stopped();
  }
  if (pending.answer) return *pending.answer;
  throw *failure_;
}

Conversation::Counts Conversation::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace snellen::models::exec
