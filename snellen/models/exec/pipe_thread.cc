// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/pipe_thread.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <fmt/format.h>

namespace snellen::models::exec {
namespace {

using std::chrono::milliseconds;

constexpr size_t kAnsweredKept = 64;
constexpr size_t kShownIdBytes = 200;
constexpr size_t kMostSaid = 1000;  // lines before it is ready that are no answer
constexpr milliseconds kLongestSleep{1000};
constexpr milliseconds kToEnd{1000};        // between the end of its output and its own
constexpr milliseconds kToTakeLeave{3000};  // after good-bye
constexpr size_t kReadBytes = size_t{1} << 16;

std::chrono::steady_clock::duration seconds_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

// Reads what is there, at most one piece; 0 at the end, -1 when there is nothing now.
ssize_t read_piece(int descriptor, std::array<char, kReadBytes>& buffer) {
  ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EINTR ? -1 : 0;
}

void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

Conversation::PipeThread::PipeThread(Conversation& shared)
    : shared_(shared),
      options_(shared.options_),
      answers_(kMostLineBytes),
      stderr_lines_(shared.options_.say) {}

void Conversation::PipeThread::run() {
  block_signals();  // Ctrl-C is for the main thread; a closed pipe is an error, no signal
  try {
    start();
    while (!is_over_ && take_new()) turn();
    say_good_bye();
  } catch (const Error& error) {
    give_up(error);
  } catch (const std::exception& error) {
    // Whatever it is, those who wait for answers must be told.
    give_up(Error{ErrorCode::kInternal, error.what(), "the thread that talks to the adapter"});
  }
}

void Conversation::PipeThread::start() {
  child_ = std::make_unique<ChildProcess>(options_.command);
  answers_ = AnswerLines(kMostLineBytes);
  outbox_ = hello_line(options_.frames);
  expired_.clear();
  answered_.clear();
  is_ready_ = false;
  num_said_ = 0;
  last_sign_ = Clock::now();
}

// Only where something is left to ask: what nobody waits for is not started.
void Conversation::PipeThread::restart() {
  bool may_start = false;
  {
    std::lock_guard lock(shared_.mutex_);
    unsigned& restarts = shared_.counts_.restarts;
    may_start = restarts < options_.max_restarts;
    if (may_start) ++restarts;
  }
  if (may_start)
    start();
  else
    give_up(*last_break_);
}

void Conversation::PipeThread::turn() {
  if (!child_ && has_work()) restart();
  if (is_over_) return;
  send_more();
  write_some();
  wait_for_something();
  if (!child_) return;
  read_people();
  bool is_open = read_answers();
  while (std::optional<std::string> line = answers_.next()) {
    take_line(*line);
    if (!child_) return;
  }
  if (answers_.is_too_long()) {
    broke(Error{ErrorCode::kInvalidInput,
                fmt::format("wrote a line of more than {} bytes", kMostLineBytes),
                "adapter"});
  } else if (!is_open) {
    ended_early();
  } else {
    check_time();
  }
}

// False when the conversation is to end.
bool Conversation::PipeThread::take_new() {
  uint64_t rings = 0;
  (void)!::read(shared_.bell_.get(), &rings, sizeof rings);
  std::lock_guard lock(shared_.mutex_);
  waiting_.insert(waiting_.end(), shared_.queue_.begin(), shared_.queue_.end());
  shared_.queue_.clear();
  return !shared_.is_closing_;
}

void Conversation::PipeThread::send_more() {
  if (!child_ || !is_ready_) return;
  if (!retries_.empty()) {
    if (!in_flight_.empty()) return;
    send(retries_.front());
    retries_.pop_front();
    return;
  }
  // After a retry the next ones go together again.
  while (!waiting_.empty() && in_flight_.size() < most_in_flight_) {
    send(waiting_.front());
    waiting_.pop_front();
  }
}

void Conversation::PipeThread::send(const std::shared_ptr<Pending>& pending) {
  Clock::time_point now = Clock::now();
  if (in_flight_.empty()) last_sign_ = now;
  auto patience = seconds_of(options_.timeout_s * static_cast<double>(in_flight_.size() + 1));
  in_flight_.emplace(pending->request.id, Sent{pending, now + patience, num_sent_++});
  outbox_ += request_line(pending->request);
}

void Conversation::PipeThread::wait_for_something() {
  std::array<pollfd, 4> watched = {{{shared_.bell_.get(), POLLIN, 0},
                                    {child_ ? child_->output().get() : -1, POLLIN, 0},
                                    {child_ ? child_->errors().get() : -1, POLLIN, 0},
                                    {-1, POLLOUT, 0}}};
  if (child_ && !outbox_.empty()) watched[3].fd = child_->input().get();
  Clock::time_point until = Clock::now() + kLongestSleep;
  if (child_ && !is_ready_) {
    until = std::min(until, last_sign_ + seconds_of(options_.start_timeout_s));
  } else if (!in_flight_.empty()) {
    until = std::min(until, last_sign_ + seconds_of(options_.timeout_s));
  }
  auto sleep = std::chrono::ceil<milliseconds>(until - Clock::now());
  ::poll(watched.data(), watched.size(), static_cast<int>(std::max<int64_t>(0, sleep.count())));
}

void Conversation::PipeThread::write_some() {
  if (!child_ || outbox_.empty() || !child_->input().is_open()) return;
  ssize_t count = ::write(child_->input().get(), outbox_.data(), outbox_.size());
  if (count > 0) {
    outbox_.erase(0, static_cast<size_t>(count));
  } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
    // It listens no more; what it still says is heard, then its end or its silence is noticed.
    child_->input().close();
    outbox_.clear();
  }
}

bool Conversation::PipeThread::read_answers() {
  std::array<char, kReadBytes> buffer;
  ssize_t count = read_piece(child_->output().get(), buffer);
  if (count > 0) answers_.add({buffer.data(), static_cast<size_t>(count)});
  return count != 0;
}

void Conversation::PipeThread::read_people() {
  if (!child_->errors().is_open()) return;
  std::array<char, kReadBytes> buffer;
  ssize_t count = read_piece(child_->errors().get(), buffer);
  if (count > 0) stderr_lines_.add({buffer.data(), static_cast<size_t>(count)});
  if (count == 0) {
    stderr_lines_.finish();
    child_->errors().close();
  }
}

void Conversation::PipeThread::take_line(const std::string& line) {
  if (!is_ready_) {
    // Libraries print while they are loaded.
    if (!line.starts_with('{') && ++num_said_ <= kMostSaid) {
      stderr_lines_.add(line + "\n");
      return;
    }
    Result<Ready> ready = read_ready(line);
    if (ready)
      became_ready(*ready);
    else
      broke(ready.error());
    return;
  }
  Result<Reply> reply = read_reply(line);
  if (reply)
    take_reply(std::move(reply).value());
  else
    broke(reply.error());
}

void Conversation::PipeThread::became_ready(const Ready& ready) {
  std::lock_guard lock(shared_.mutex_);
  const Ready& first = shared_.ready_;
  bool is_same = ready.mode == first.mode && ready.wants == first.wants &&
                 ready.name == first.name && ready.identity == first.identity &&
                 ready.has_independent_scores == first.has_independent_scores &&
                 ready.takes_no_picture == first.takes_no_picture && ready.scale == first.scale;
  if (shared_.is_ready_ && !is_same) {
    throw Error{
        ErrorCode::kInvalidInput,
        "says other things of itself after a new start than before it",
        "adapter",
        "name, mode, wants, scale, independent_scores, takes_no_picture and identity must stay "
        "the same"};
  }
  if (!shared_.is_ready_) shared_.ready_ = ready;
  most_in_flight_ = options_.max_in_flight;
  if (ready.max_in_flight > 0) most_in_flight_ = std::min(most_in_flight_, ready.max_in_flight);
  is_ready_ = true;
  shared_.is_ready_ = true;
  shared_.changed_.notify_all();
}

void Conversation::PipeThread::take_reply(Reply&& reply) {
  auto found = in_flight_.find(reply.id);
  if (found == in_flight_.end()) {
    if (expired_.erase(reply.id) > 0) return;
    // What is under way has nothing to do with a second answer to something else.
    const bool is_second = std::count(answered_.begin(), answered_.end(), reply.id) > 0;
    broke(Error{ErrorCode::kInvalidInput,
                fmt::format("answered '{}', which was not asked or was answered before",
                            cut_text(reply.id, kShownIdBytes)),
                "adapter"},
          /*blames=*/!is_second);
    return;
  }
  last_sign_ = Clock::now();
  std::shared_ptr<Pending> pending = found->second.pending;
  in_flight_.erase(found);
  answered_.push_back(reply.id);
  if (answered_.size() > kAnsweredKept) answered_.pop_front();
  if (reply.values)
    reply.values = usable_values(*reply.values, pending->request, shared_.ready_.mode);
  answer(*pending,
         reply.values ? reply.values
                      : reply.values.error().within("item " + name_of(pending->request)));
}

void Conversation::PipeThread::check_time() {
  Clock::time_point now = Clock::now();
  if (!is_ready_) {
    if (now - last_sign_ >= seconds_of(options_.start_timeout_s))
      broke(Error{ErrorCode::kInvalidInput,
                  fmt::format("was not ready after {} s", options_.start_timeout_s),
                  "adapter",
                  "give it longer with --exec-start-timeout"});
    return;
  }
  if (in_flight_.empty()) return;
  if (now - last_sign_ >= seconds_of(options_.timeout_s)) {
    broke(Error{ErrorCode::kInvalidInput,
                fmt::format("gave no answer for {} s", options_.timeout_s),
                "adapter",
                "give it longer with --exec-timeout"});
    return;
  }
  for (auto at = in_flight_.begin(); at != in_flight_.end();) {
    if (now < at->second.deadline) {
      ++at;
      continue;
    }
    answer(*at->second.pending,
           Error{ErrorCode::kInvalidInput,
                 "the adapter answered others and never this one",
                 "item " + name_of(at->second.pending->request),
                 "give it longer with --exec-timeout"});
    expired_.insert(at->first);
    at = in_flight_.erase(at);
  }
}

void Conversation::PipeThread::ended_early() {
  std::optional<std::string> ending = child_->ended(kToEnd);
  while (child_->errors().is_open()) {
    read_people();
    pollfd watched{child_->errors().get(), POLLIN, 0};
    if (child_->errors().is_open() && ::poll(&watched, 1, 0) <= 0) break;
  }
  stderr_lines_.finish();
  std::string last_words =
      stderr_lines_.last().empty() ? "" : fmt::format("; its last words: {}", stderr_lines_.last());
  broke(
      Error{ErrorCode::kInvalidInput,
            ending ? fmt::format("ended with {}{}", *ending, last_words)
                   : fmt::format("closed its output{}", last_words),
            "adapter",
            is_ready_ ? "" : "it must answer the first line with \"ready\"; see docs/adapters.md"});
}

// What it held is asked again: one that was asked alone has had its second chance and fails with
// all of its item, the others may be innocent.
void Conversation::PipeThread::take_back(const Error& reason, bool blames) {
  std::map<uint64_t, std::shared_ptr<Pending>> held;  // in the order of sending
  for (auto& [id, sent] : in_flight_) held.emplace(sent.number, sent.pending);
  in_flight_.clear();
  for (auto& [number, pending] : held) {
    if (pending->is_retried && blames) {
      fail_item(*pending, reason.within("item " + name_of(pending->request)));
    } else {
      pending->is_retried = true;
      retries_.push_back(pending);
    }
  }
}

void Conversation::PipeThread::fail_item(Pending& pending, const Error& reason) {
  answer(pending, reason);
  for (std::deque<std::shared_ptr<Pending>>* list : {&retries_, &waiting_}) {
    std::erase_if(*list, [&](const std::shared_ptr<Pending>& other) {
      if (other->item != pending.item) return false;
      answer(*other, reason);
      return true;
    });
  }
}

void Conversation::PipeThread::broke(const Error& reason, bool blames) {
  child_.reset();
  outbox_.clear();
  take_back(reason, blames);
  last_break_ = reason;
  {
    std::lock_guard lock(shared_.mutex_);
    if (shared_.is_ready_) {
      // Not the fault of any input: the run ends here, and goes on when it is called again.
      last_break_ =
          Error{ErrorCode::kIo,
                fmt::format("{} (start {} of at most {})",
                            reason.message(),
                            shared_.counts_.restarts + 1,
                            options_.max_restarts + 1),
                reason.where(),
                "what was scored is kept: mend the adapter and run the same command again"};
    }
  }
  if (!is_ready_) give_up(*last_break_);
}

void Conversation::PipeThread::give_up(const Error& reason) {
  child_.reset();
  is_over_ = true;
  std::lock_guard lock(shared_.mutex_);
  shared_.failure_ = reason;
  shared_.changed_.notify_all();
}

void Conversation::PipeThread::answer(Pending& pending, Result<std::vector<double>> scores) {
  std::lock_guard lock(shared_.mutex_);
  pending.answer = std::move(scores);
  ++shared_.counts_.answered;
  shared_.changed_.notify_all();
}

// Nothing waits for an answer any more; a program that still works on one is not waited for.
void Conversation::PipeThread::say_good_bye() {
  if (!child_ || !is_ready_ || !in_flight_.empty()) return;
  outbox_ += bye_line();
  write_some();
  child_->input().close();
  Clock::time_point until = Clock::now() + kToTakeLeave;
  std::array<char, kReadBytes> ignored;
  while (Clock::now() < until && !child_->ended(milliseconds{10})) {
    read_people();
    (void)read_piece(child_->output().get(), ignored);
  }
  stderr_lines_.finish();
}

}  // namespace snellen::models::exec
