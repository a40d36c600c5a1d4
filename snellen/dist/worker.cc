// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/worker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "snellen/dist/backoff.h"

namespace snellen::dist {
namespace {

using Clock = std::chrono::steady_clock;

// Samples are sent when there are this many bytes of them or they are this old.
constexpr size_t kMessageBytes = size_t{256} << 10;
constexpr std::chrono::milliseconds kMessageAge{200};
// Messages that wait to be sent; the scoring waits when there are more.
constexpr size_t kMostWaiting = 4;
// After a signal, rank 0 has this long to answer.
constexpr std::chrono::seconds kLastWait{5};

// What the scoring thread and the one that talks hand each other. Safe from many threads.
class WorkerQueues {
 public:
  // False when there is nothing more to do.
  bool wait_for_grant(Items& items) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closed_ || is_done_ || grant_; });
    if (is_closed_ || is_done_) return false;
    items = std::move(*grant_);
    grant_.reset();
    return true;
  }
  void put_grant(Items items) {
    {
      std::lock_guard lock(mutex_);
      grant_ = std::move(items);
    }
    changed_.notify_all();
  }
  // Waits for room; a message that nobody will send any more is dropped.
  void put_message(std::string message) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_closed_ || messages_.size() < kMostWaiting; });
      if (is_closed_) return;
      messages_.push_back(std::move(message));
    }
    changed_.notify_all();
  }
  // The oldest message that waits, once there is one; none after `most`.
  std::optional<std::string> take_message(std::chrono::microseconds most) {
    std::optional<std::string> message;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, most, [&] { return !messages_.empty(); });
      if (messages_.empty()) return message;
      message = std::move(messages_.front());
      messages_.pop_front();
    }
    changed_.notify_all();
    return message;
  }
  // There will be no more grants; the scoring still says what it did.
  void end_grants() {
    {
      std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_all();
  }
  // Nothing more is wanted.
  void close() {
    is_stopped_ = true;
    {
      std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    changed_.notify_all();
  }
  bool is_stopped() const { return is_stopped_; }

 private:
  std::mutex mutex_;  // guards what follows but is_stopped_
  std::condition_variable changed_;
  std::optional<Items> grant_;
  std::deque<std::string> messages_;
  bool is_done_ = false;
  bool is_closed_ = false;
  std::atomic<bool> is_stopped_ = false;
};

// The scoring thread.
class Scoring {
 public:
  Scoring(WorkerQueues& queues, const WorkerOptions& options)
      : queues_(queues), options_(options) {}

  void run() {
    try {
      OpenedRank opened = options_.open();
      queues_.put_message(encode(Hello{where_, opened.traits}));
      Items items;
      while (queues_.wait_for_grant(items)) {
        score(opened, items);
        if (is_stopped()) return;
      }
      if (!is_stopped()) queues_.put_message(encode_notes(opened.notes ? opened.notes() : Notes()));
    } catch (const Error& error) {
      report(error);
    } catch (const std::exception& error) {
      report(Error{ErrorCode::kInternal, error.what()});
    }
  }

  // Tells rank 0.
  void report(const Error& error) { queues_.put_message(encode(Failure{where_, error})); }

 private:
  bool is_stopped() const {
    return queues_.is_stopped() || (options_.is_stopped && options_.is_stopped());
  }

  void score(const OpenedRank& opened, const Items& items) {
    Clock::time_point start = Clock::now();
    SamplesWriter writer;
    Clock::time_point last_sent = start;
    opened.score(
        items,
        [&](std::vector<store::Sample>&& samples) {
          for (const store::Sample& sample : samples) {
            writer.add(sample);
            if (writer.num_bytes() >= kMessageBytes) send(writer);
          }
          if (writer.num_samples() > 0 && Clock::now() - last_sent > kMessageAge) {
            send(writer);
            last_sent = Clock::now();
          }
        },
        [this] { return is_stopped(); });
    if (is_stopped()) return;
    auto micros = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    queues_.put_message(writer.finish(static_cast<uint64_t>(std::max<int64_t>(1, micros.count()))));
  }

  void send(SamplesWriter& writer) {
    if (writer.num_bytes() > kMostMessageBytes / 2) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("the samples of one item take {} bytes, too many to send",
                              writer.num_bytes())};
    }
    queues_.put_message(writer.finish(/*grant_micros=*/0));
  }

  WorkerQueues& queues_;
  const WorkerOptions& options_;
  HostProcess where_ = this_host_process();
};

// Takes what rank 0 says; false when the rank may go home.
bool listen(Link& link, WorkerQueues& queues, Backoff& backoff) {
  while (std::optional<Message> message = link.poll()) {
    backoff.reset();
    switch (kind_of(message->bytes)) {
      case MessageKind::kGrant:
        queues.put_grant(decode_grant(message->bytes));
        break;
      case MessageKind::kDone:
        queues.end_grants();
        break;
      case MessageKind::kStop:
        return false;
      default:
        throw Error{ErrorCode::kInternal, "rank 0 sent what only others send"};
    }
  }
  return true;
}

}  // namespace

void work(Link& link, const WorkerOptions& options) {
  WorkerQueues queues;
  Scoring scoring(queues, options);
  std::jthread scorer;
  try {
    scorer = std::jthread([&] { scoring.run(); });
  } catch (const std::system_error& error) {
    // Rank 0 waits for this rank, so it must hear of it.
    scoring.report(Error{
        ErrorCode::kIo,
        fmt::format("the thread that scores could not be started: {}", error.code().message()),
        {},
        "try a smaller --num-workers, or fewer ranks on this machine"});
  }
  struct Closing {
    WorkerQueues& queues;
    ~Closing() { queues.close(); }
  } closing{queues};  // before the thread is joined
  std::optional<std::string> outgoing;
  std::optional<Clock::time_point> signalled;
  Clock::time_point last_sent = Clock::now();
  const std::chrono::duration<double> alive_every(options.alive_every_s);
  Backoff backoff;
  while (listen(link, queues, backoff)) {
    if (!outgoing && !signalled && options.is_stopped && options.is_stopped()) {
      signalled = Clock::now();
      outgoing =
          encode(Failure{this_host_process(), Error{ErrorCode::kInterrupted, "was told to stop"}});
    }
    if (signalled && Clock::now() - *signalled > kLastWait) return;
    if (!outgoing && Clock::now() - last_sent > alive_every)
      outgoing = bare_message(MessageKind::kAlive);
    if (!outgoing) outgoing = queues.take_message(backoff.next());
    if (!outgoing) continue;
    if (link.try_send(0, *outgoing)) {
      outgoing.reset();
      last_sent = Clock::now();
      backoff.reset();
    } else {
      std::this_thread::sleep_for(backoff.next());
    }
  }
}

}  // namespace snellen::dist
