// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/request_queue.h"

#include <algorithm>
#include <deque>
#include <mutex>

#include "snellen/base/rng.h"
#include "snellen/http/retry_rules.h"

namespace snellen::http {
namespace {

constexpr unsigned kAnswersPerStepUp = 20;
constexpr auto kBetweenHalvings = std::chrono::seconds(1);

Clock::duration seconds(double count) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
}

struct Waiting {
  RequestQueue::MakeCall make;
  RequestQueue::IsWhole is_whole;
  RequestQueue::Done done;
  unsigned attempts = 0;
};

// Fills with time up to what one minute allows; empty: wait.
class Allowance {
 public:
  explicit Allowance(double per_minute) : per_minute_(per_minute), left_(1) {}
  bool is_limited() const { return per_minute_ > 0; }
  void spend(double count) { left_ -= count; }
  // When one more may be spent.
  Clock::time_point next(Clock::time_point now) {
    const double minutes = std::chrono::duration<double>(now - filled_).count() / 60;
    left_ = std::min(std::max(1.0, per_minute_ / 60), left_ + minutes * per_minute_);
    filled_ = now;
    return left_ >= 1 ? now : now + seconds((1 - left_) / per_minute_ * 60);
  }

 private:
  double per_minute_;
  double left_;
  Clock::time_point filled_ = Clock::now();
};

}  // namespace

class RequestQueue::State : public std::enable_shared_from_this<RequestQueue::State> {
 public:
  State(Client& client, const QueueOptions& options)
      : client_(client),
        options_(options),
        limit_(std::max(1U, options.concurrency)),
        requests_(options.requests_per_minute),
        tokens_(options.tokens_per_minute),
        random_(Rng(options.seed).fork("retry")) {}

  void send(Waiting one) {
    {
      std::lock_guard lock(mutex_);
      ready_.push_back(std::move(one));
    }
    start_what_may();
  }

  void spend_tokens(uint64_t count) {
    std::lock_guard lock(mutex_);
    tokens_.spend(static_cast<double>(count));
  }

  QueueCounts counts() const {
    std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  void start_what_may() {
    while (true) {
      Waiting one;
      {
        std::lock_guard lock(mutex_);
        if (ready_.empty() || under_way_ >= limit_ || !is_allowed_now()) return;
        one = std::move(ready_.front());
        ready_.pop_front();
        ++under_way_;
        ++counts_.sent;
        if (one.attempts++ > 0) ++counts_.retries;
      }
      Call call = one.make(one.attempts);
      client_.start(std::move(call),
                    [self = shared_from_this(),
                     one = std::make_shared<Waiting>(std::move(one)),
                     begin = Clock::now()](Reply&& reply) mutable {
                      self->take(std::move(*one), std::move(reply), begin);
                    });
    }
  }

  // With the mutex held. Where it is too early, a timer comes back for the rest.
  bool is_allowed_now() {
    const Clock::time_point now = Clock::now();
    Clock::time_point when = now;
    if (requests_.is_limited()) when = std::max(when, requests_.next(now));
    if (tokens_.is_limited()) when = std::max(when, tokens_.next(now));
    if (when <= now) {
      requests_.spend(1);
      return true;
    }
    if (!is_timer_set_) {
      is_timer_set_ = true;
      client_.at(when, [self = shared_from_this()] {
        {
          std::lock_guard lock(self->mutex_);
          self->is_timer_set_ = false;
        }
        self->start_what_may();
      });
    }
    return false;
  }

  void take(Waiting one, Reply&& reply, Clock::time_point begin) {
    const bool is_whole = reply.status == 200 && one.is_whole(reply);
    const bool is_broken = reply.status == 200 && !is_whole;
    const bool tries_again =
        (is_broken || is_worth_retrying(reply)) && one.attempts <= options_.retries;
    Clock::time_point next{};
    {
      std::lock_guard lock(mutex_);
      --under_way_;
      note(reply, is_whole);
      if (tries_again) next = Clock::now() + seconds(wait_s(reply, one.attempts));
    }
    if (!tries_again) {
      start_what_may();
      const double took = std::chrono::duration<double>(Clock::now() - begin).count();
      if (is_broken) reply = {.failure = "the answer is no JSON of the expected form"};
      one.done({.reply = std::move(reply), .attempts = one.attempts, .seconds = took});
      return;
    }
    client_.at(next,
               [self = shared_from_this(), again = std::make_shared<Waiting>(std::move(one))] {
                 {
                   std::lock_guard lock(self->mutex_);
                   self->ready_.push_front(std::move(*again));
                 }
                 self->start_what_may();
               });
    start_what_may();
  }

  // With the mutex held.
  void note(const Reply& reply, bool is_whole) {
    if (is_whole && ++answers_ % kAnswersPerStepUp == 0)
      limit_ = std::min(limit_ + 1, std::max(1U, options_.concurrency));
    if (reply.status != 429) return;
    ++counts_.throttled;
    const Clock::time_point now = Clock::now();
    if (now - halved_ < kBetweenHalvings) return;
    halved_ = now;
    limit_ = std::max(1U, limit_ / 2);
  }

  double wait_s(const Reply& reply, unsigned attempts) {
    if (std::optional<double> asked = retry_after_s(reply.retry_after, std::time(nullptr)))
      return *asked;
    return back_off_s(attempts, random_.u01());
  }

  Client& client_;
  const QueueOptions options_;
  mutable std::mutex mutex_;  // guards the following
  std::deque<Waiting> ready_;
  unsigned under_way_ = 0;
  unsigned limit_;
  uint64_t answers_ = 0;
  Clock::time_point halved_{};
  Allowance requests_;
  Allowance tokens_;
  bool is_timer_set_ = false;
  Rng random_;
  QueueCounts counts_;
};

RequestQueue::RequestQueue(Client& client, const QueueOptions& options)
    : state_(std::make_shared<State>(client, options)) {}
RequestQueue::~RequestQueue() = default;

void RequestQueue::send(MakeCall make, IsWhole is_whole, Done done) {
  state_->send({std::move(make), std::move(is_whole), std::move(done)});
}

void RequestQueue::spend_tokens(uint64_t count) {
  state_->spend_tokens(count);
}

QueueCounts RequestQueue::counts() const {
  return state_->counts();
}

}  // namespace snellen::http
