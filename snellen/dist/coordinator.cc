// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/coordinator.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/seconds_since.h"

namespace snellen::dist {
namespace {

// A grant should take this long: much more than a round trip and the start of a pipeline, much less
// than anybody minds to wait for at the end.
constexpr uint64_t kLeastGrantMicros = 1'000'000;
constexpr uint64_t kMostGrantMicros = 4'000'000;
// A rank gets at most this share of what is left for each rank.
constexpr size_t kGrantsLeftPerRank = 4;
// When all is done, ranks have this long to say what they did.
constexpr double kNotesWithinS = 5;

}  // namespace

Coordinator::Coordinator(Link& link) : link_(link), ranks_(static_cast<size_t>(link.size())) {}

Coordinator::~Coordinator() {
  dismiss();
}

void Coordinator::dismiss() {
  if (std::exchange(is_dismissed_, true)) return;
  for (int rank = 0; rank < link_.size(); ++rank) {
    std::string stop = bare_message(MessageKind::kStop);
    // A rank that still has several messages to read is past helping; its launcher ends it.
    (void)link_.try_send(rank, stop);
  }
}

bool Coordinator::run(SharedWork work) {
  struct DismissAtEnd {
    Coordinator& of;
    ~DismissAtEnd() { of.dismiss(); }
  } dismiss_at_end{*this};  // however this ends
  work_ = std::move(work);
  std::erase_if(work_.chunks, [](const Items& chunk) { return chunk.empty(); });
  for (const Items& chunk : work_.chunks) num_left_ += chunk.size();
  Clock::time_point start = Clock::now();
  bool is_complete = serve();
  counts_.seconds = seconds_since(start);
  if (is_complete) ask_for_notes();
  return is_complete;
}

std::optional<Message> Coordinator::wait_for_message(Backoff& backoff) {
  std::optional<Message> message = link_.poll();
  if (message) {
    backoff.reset();
    return message;
  }
  if (work_.on_idle) work_.on_idle();
  std::this_thread::sleep_for(backoff.next());
  return message;
}

bool Coordinator::serve() {
  Backoff backoff;
  while (num_left_ > 0) {
    if (work_.is_stopped && work_.is_stopped()) return false;
    std::optional<Message> message = wait_for_message(backoff);
    if (!message) {
      check_silence();
      continue;
    }
    Clock::time_point start = Clock::now();
    bool goes_on = handle(*message);
    counts_.seconds_busy += seconds_since(start);
    if (!goes_on) return false;
  }
  return true;
}

void Coordinator::ask_for_notes() {
  size_t num_asked = 0;
  for (int rank = 0; rank < link_.size(); ++rank) {
    if (at(rank).where.process == 0) continue;  // it is not open yet
    at(rank).is_asked = true;
    send(rank, bare_message(MessageKind::kDone));
    ++num_asked;
  }
  Backoff backoff;
  const Clock::time_point start = Clock::now();
  while (num_asked > 0 && seconds_since(start) < kNotesWithinS) {
    if (work_.is_stopped && work_.is_stopped()) return;
    std::optional<Message> message = wait_for_message(backoff);
    if (!message) continue;
    const MessageKind kind = kind_of(message->bytes);
    if (kind == MessageKind::kNotes) at(message->from).notes = decode_notes(message->bytes);
    // Whoever fails now has nothing to say; everything is scored.
    const bool is_last = kind == MessageKind::kNotes || kind == MessageKind::kFailed;
    if (is_last && std::exchange(at(message->from).is_asked, false)) --num_asked;
  }
}

bool Coordinator::handle(const Message& message) {
  ++counts_.messages_in;
  counts_.bytes_in += message.bytes.size();
  at(message.from).heard = Clock::now();
  switch (kind_of(message.bytes)) {
    case MessageKind::kHello:
      welcome(message.from, decode_hello(message.bytes));
      break;
    case MessageKind::kSamples:
      take(message.from, decode_samples(message.bytes));
      break;
    case MessageKind::kFailed: {
      Failure failure = decode_failure(message.bytes);
      if (failure.error.code() == ErrorCode::kInterrupted) return false;
      at(message.from).where = failure.where;
      throw failure.error.within(shown(message.from));
    }
    case MessageKind::kAlive:
      break;
    case MessageKind::kNotes:
      throw Error{ErrorCode::kInternal, fmt::format("{} was not asked", shown(message.from))};
    case MessageKind::kGrant:
    case MessageKind::kDone:
    case MessageKind::kStop:
      throw Error{ErrorCode::kInternal, fmt::format("{} gives orders", shown(message.from))};
  }
  return true;
}

void Coordinator::welcome(int rank, const Hello& hello) {
  at(rank).where = hello.where;
  std::string difference = work_.difference(hello.traits);
  if (!difference.empty()) {
    throw Error{ErrorCode::kMismatch,
                fmt::format("cannot take part: {}", difference),
                shown(rank),
                "start all ranks on one kind of machine, from one build, with the same files"};
  }
  grant(rank);
}

void Coordinator::take(int rank, SamplesMessage&& message) {
  Rank& sender = at(rank);
  uint64_t count = message.samples.size();
  bool is_last = message.grant_micros > 0;
  if (count > sender.num_open || (is_last && count < sender.num_open)) {
    throw Error{ErrorCode::kInternal,
                fmt::format("sent {} samples where {} were still to come", count, sender.num_open),
                shown(rank)};
  }
  sender.num_open -= count;
  num_left_ -= count;
  if (is_last) {
    if (message.grant_micros < kLeastGrantMicros) sender.chunks_per_grant *= 2;
    if (message.grant_micros > kMostGrantMicros)
      sender.chunks_per_grant = std::max<size_t>(1, sender.chunks_per_grant / 2);
    // Before recording: the rank goes on meanwhile.
    grant(rank);
  }
  if (count > 0) work_.take(std::move(message.samples));
}

void Coordinator::grant(int rank) {
  size_t num_left = work_.chunks.size() - next_chunk_;
  if (num_left == 0) return;
  size_t share = num_left / (kGrantsLeftPerRank * ranks_.size());
  size_t count = std::clamp<size_t>(at(rank).chunks_per_grant, 1, std::max<size_t>(1, share));
  Items items;
  for (size_t end = next_chunk_ + count; next_chunk_ < end; ++next_chunk_) {
    Items& chunk = work_.chunks[next_chunk_];
    items.insert(items.end(), chunk.begin(), chunk.end());
    chunk = {};
  }
  std::sort(items.begin(), items.end());
  at(rank).num_open = items.size();
  send(rank, encode_grant(items));
}

void Coordinator::send(int rank, std::string message) {
  ++counts_.messages_out;
  counts_.bytes_out += message.size();
  // A rank is given one grant at a time, so there is always room.
  SNELLEN_CHECK(link_.try_send(rank, message));
}

void Coordinator::check_silence() const {
  for (int rank = 0; rank < link_.size(); ++rank) {
    const Rank& one = ranks_[static_cast<size_t>(rank)];
    if (one.num_open == 0 || seconds_since(one.heard) < work_.most_silence_s) continue;
    throw Error{ErrorCode::kIo,
                fmt::format("sent nothing for {:.0f} s and still had {} items to score",
                            seconds_since(one.heard),
                            one.num_open),
                shown(rank),
                "look at that machine, then run the same command again to resume"};
  }
}

std::string Coordinator::shown(int rank) const {
  const HostProcess& where = ranks_.at(static_cast<size_t>(rank)).where;
  return fmt::format("rank {} (process {} on {})", rank, where.process, where.host);
}

}  // namespace snellen::dist
