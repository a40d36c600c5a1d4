// SPDX-License-Identifier: Apache-2.0
// A coordinator and its workers, over the memory of one process.
#include <atomic>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/dist/coordinator.h"
#include "snellen/dist/memory_link.h"
#include "snellen/dist/worker.h"

namespace snellen::dist {
namespace {

using std::chrono::milliseconds;

store::Sample sample_of(uint64_t item) {
  store::Sample sample;
  sample.position = item;
  sample.item = fmt::format("item {}", item);
  return sample;
}

// Scores items one by one, as slowly as told.
ScoreItems scorer(milliseconds wait = {}) {
  return [wait](const Items& items, const TakeSamples& take, const std::function<bool()>& stopped) {
    for (uint64_t item : items) {
      if (stopped()) return;
      std::this_thread::sleep_for(wait);
      take({sample_of(item)});
    }
  };
}

class Sharing : public testing::Test {
 protected:
  // Starts ranks 1 .. as threads; rank 0 is the test.
  void start(std::vector<std::function<OpenedRank()>> ranks) {
    world_ = std::make_unique<InMemoryRanks>(static_cast<int>(ranks.size()) + 1);
    zero_ = world_->join(0);
    for (size_t i = 0; i < ranks.size(); ++i) {
      threads_.emplace_back([this, open = ranks[i], rank = static_cast<int>(i) + 1] {
        auto link = world_->join(rank);
        work(*link, {.open = open, .is_stopped = {}, .alive_every_s = 0.01});
      });
    }
  }
  static std::function<OpenedRank()> rank(std::string traits = "same", milliseconds wait = {}) {
    return [=] { return OpenedRank{traits, scorer(wait)}; };
  }

  SharedWork work_of(size_t num_chunks, size_t items_per_chunk) {
    SharedWork work;
    uint64_t next = 0;
    for (size_t i = 0; i < num_chunks; ++i) {
      Items chunk;
      for (size_t k = 0; k < items_per_chunk; ++k) chunk.push_back(next++);
      work.chunks.push_back(chunk);
    }
    work.difference = [](const std::string& traits) {
      return traits == "same" ? "" : traits + " is not same";
    };
    work.take = [this](std::vector<store::Sample>&& samples) {
      for (const store::Sample& one : samples) taken_.insert(one.position);
    };
    return work;
  }

  std::unique_ptr<InMemoryRanks> world_;
  std::unique_ptr<Link> zero_;
  std::vector<std::jthread> threads_;
  std::multiset<uint64_t> taken_;
};

TEST_F(Sharing, TakesEveryItemOnce) {
  start({rank(), rank(), rank()});
  Coordinator coordinator(*zero_);
  EXPECT_TRUE(coordinator.run(work_of(50, 7)));
  EXPECT_EQ(taken_.size(), 350U);
  EXPECT_EQ(std::set<uint64_t>(taken_.begin(), taken_.end()).size(), 350U);
  EXPECT_GT(coordinator.message_counts().messages_in, 3U);
}

TEST_F(Sharing, RanksSayWhatTheyDidWhenAllIsDone) {
  // Nobody scores before three are there: each is given something to do.
  std::atomic<int> num_welcome = 0;
  auto patient = [&num_welcome](const Items& items, const TakeSamples& take, const auto& stopped) {
    while (num_welcome < 3) std::this_thread::sleep_for(milliseconds(1));
    scorer()(items, take, stopped);
  };
  auto noting = [patient](Notes notes) {
    return [patient, notes] { return OpenedRank{"same", patient, [notes] { return notes; }}; };
  };
  // The last one opens when nobody needs it any more.
  std::atomic<bool> is_over = false;
  start({noting({"one", "more"}),
         noting({"two", "more"}),
         [patient] {
           return OpenedRank{"same", patient};
         },
         [&is_over]() -> OpenedRank {
           while (!is_over) std::this_thread::sleep_for(milliseconds(1));
           return OpenedRank{"same", scorer(), [] { return Notes{"too late"}; }};
         }});
  Coordinator coordinator(*zero_);
  SharedWork work = work_of(500, 7);
  work.difference = [&num_welcome](const std::string&) {
    ++num_welcome;
    return std::string();
  };
  EXPECT_TRUE(coordinator.run(std::move(work)));
  EXPECT_EQ(coordinator.notes(1), (Notes{"one", "more"}));
  EXPECT_EQ(coordinator.notes(2), (Notes{"two", "more"}));
  EXPECT_EQ(coordinator.notes(3), Notes());
  EXPECT_EQ(coordinator.notes(4), Notes());
  is_over = true;
  threads_.clear();
}

TEST_F(Sharing, WithNothingToDoSendsTheRanksHome) {
  start({rank()});
  Coordinator coordinator(*zero_);
  EXPECT_TRUE(coordinator.run(work_of(3, 0)));
}

TEST_F(Sharing, ASlowRankDoesNotHoldTheOthers) {
  start({rank("same", milliseconds(20)), rank(), rank()});
  Coordinator coordinator(*zero_);
  auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(coordinator.run(work_of(300, 2)));
  // A third of the items would take the slow rank 4 s, the few it is given are done long before.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(2000));
  EXPECT_EQ(taken_.size(), 600U);
}

TEST_F(Sharing, RefusesARankOfAnotherKindAndNamesIt) {
  start({rank("other")});
  Coordinator coordinator(*zero_);
  try {
    coordinator.run(work_of(2, 2));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    EXPECT_NE(std::string(error.what()).find("rank 1 ("), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("other is not same"), std::string::npos);
  }
}

TEST_F(Sharing, NamesTheRankThatFailed) {
  start({rank("same", milliseconds(1)), [] {
           return OpenedRank{"same", [](const Items&, const TakeSamples&, const auto&) {
                               throw Error{ErrorCode::kNotFound, "no such file", "x.jpg"};
                             }};
         }});
  Coordinator coordinator(*zero_);
  try {
    coordinator.run(work_of(1000, 2));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_NE(std::string(error.what()).find("rank 2 ("), std::string::npos) << error.what();
  }
}

TEST_F(Sharing, NamesTheRankThatCannotOpen) {
  start({[]() -> OpenedRank { throw Error{ErrorCode::kInvalidInput, "bad weights"}; }});
  Coordinator coordinator(*zero_);
  EXPECT_THROW(coordinator.run(work_of(2, 2)), Error);
}

TEST_F(Sharing, StopsWhenToldAndLeavesNobodyWaiting) {
  start({rank("same", milliseconds(1)), rank("same", milliseconds(1))});
  Coordinator coordinator(*zero_);
  SharedWork work = work_of(10000, 2);
  work.is_stopped = [this] { return taken_.size() > 10; };
  EXPECT_FALSE(coordinator.run(std::move(work)));
  threads_.clear();
}

TEST_F(Sharing, NamesARankThatIsNotHeardOfAnyMore) {
  world_ = std::make_unique<InMemoryRanks>(2);
  zero_ = world_->join(0);
  const HostProcess where{"node7", 42};
  std::string hello = encode(Hello{where, "same"});
  ASSERT_TRUE(world_->join(1)->try_send(0, hello));
  Coordinator coordinator(*zero_);
  SharedWork work = work_of(1, 5);
  work.most_silence_s = 0.05;
  try {
    coordinator.run(std::move(work));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1 (process 42 on node7)"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("5 items"), std::string::npos);
  }
}

TEST_F(Sharing, ASilentModelIsNotTakenForADeadRank) {
  start({rank("same", milliseconds(600))});
  Coordinator coordinator(*zero_);
  SharedWork work = work_of(1, 1);
  work.most_silence_s = 0.4;
  EXPECT_TRUE(coordinator.run(std::move(work)));
}

TEST_F(Sharing, ARankThatWasToldToStopEndsTheRun) {
  std::atomic<bool> is_stopped = false;
  world_ = std::make_unique<InMemoryRanks>(2);
  zero_ = world_->join(0);
  threads_.emplace_back([&] {
    auto link = world_->join(1);
    work(*link,
         {.open = rank("same", milliseconds(1)), .is_stopped = [&] { return is_stopped.load(); }});
  });
  Coordinator coordinator(*zero_);
  SharedWork work = work_of(1000, 10);
  work.on_idle = [&] { is_stopped = taken_.size() > 5; };
  EXPECT_FALSE(coordinator.run(std::move(work)));
  threads_.clear();
}

TEST_F(Sharing, SendsLargeResultsInSeveralMessages) {
  start({[] {
    return OpenedRank{"same", [](const Items& items, const TakeSamples& take, const auto&) {
                        std::vector<store::Sample> samples;
                        for (uint64_t item : items) {
                          samples.push_back(sample_of(item));
                          samples.back().texts = {std::string(100'000, 'x')};
                        }
                        take(std::move(samples));
                      }};
  }});
  Coordinator coordinator(*zero_);
  EXPECT_TRUE(coordinator.run(work_of(1, 30)));
  EXPECT_EQ(taken_.size(), 30U);
  EXPECT_GE(coordinator.message_counts().messages_in, 10U);
}

}  // namespace
}  // namespace snellen::dist
