// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/remembering_scorer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::inference {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

// Rows of two numbers, the number of the visual or text and 0.5; notes what it worked on.
class Counting : public Backend {
 public:
  struct Log {
    std::vector<std::string> worked;
    std::vector<uint32_t> noted;
  };
  Counting(Log& log, bool has_pairs) : log_(log), has_pairs_(has_pairs) {}
  TableOptions plan_options() const override { return {true, has_pairs_}; }
  uint32_t visuals_per_job() const override { return 4; }
  uint32_t texts_per_job() const override { return 4; }
  void start(const Table& plan) override { plan_ = &plan; }
  JobDone work(const Job& job) override {
    const bool is_visual = job.kind == Job::Kind::kVisuals;
    log_.worked.push_back(fmt::format("{}{}-{}", is_visual ? "v" : "t", job.begin, job.end));
    JobDone done{.job = job};
    if (is_visual && has_pairs_) {
      for (uint32_t text : plan_->texts_of(job.begin))
        done.values.push_back(static_cast<float>(10 * job.begin + text));
      return done;
    }
    done.width = 2;
    for (uint32_t id = job.begin; id < job.end; ++id) {
      done.values.insert(done.values.end(), {static_cast<float>(id), 0.5F});
      if (is_visual && !fs::exists(plan_->visual(id)->path))
        done.failures.emplace(id, Error{ErrorCode::kNotFound, "not there"});
    }
    return done;
  }
  void keep(JobDone&&) override {}
  Result<std::vector<double>> score(const models::Ask&) const override {
    return std::vector<double>{};
  }
  models::Shown shown(const models::Ask&) const override { return {}; }
  WorkCounts counts() const override { return {}; }
  void note_texts(std::span<const uint32_t> texts) override {
    log_.noted.insert(log_.noted.end(), texts.begin(), texts.end());
  }

 private:
  Log& log_;
  bool has_pairs_;
  const Table* plan_ = nullptr;
};

class Remembering : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    for (int i = 0; i < 4; ++i)
      write_text_file(folder_ / fmt::format("{}.jpg", i), fmt::format("picture {}", i));
  }

  // Four visuals, four texts, one ask each.
  Table plan(bool has_pairs) const {
    return Table(
        [this](const models::AskVisitor& visitor) {
          for (int i = 0; i < 4; ++i) {
            std::string visual = fmt::format("{}.jpg", i);
            std::string text = fmt::format("text {}", i);
            std::vector<models::Cell> cells = {{visual, text}};
            visitor.visit({.item = visual, .cells = cells, .locate = [this](std::string_view name) {
                             return Result<media::VisualPlace>(
                                 {.path = folder_ / std::string(name)});
                           }});
          }
        },
        {.has_visuals = true, .has_pairs = has_pairs});
  }

  // What a process makes of a job, with the cache that lies in the folder.
  JobDone work(const Job& job,
               bool has_pairs = false,
               bool is_on_gpu = false,
               ProcessRows* memory = nullptr) {
    log_ = {};
    store::RowCache cache(
        {.folder = folder_ / "cache", .max_bytes = 1 << 20, .scope = {1, 2}, .about = "x"});
    NetworkParts parts;
    parts.gpu_batch = is_on_gpu ? 4 : 0;
    Table asks = plan(has_pairs);
    auto scorer = make_caching_backend(std::make_unique<Counting>(log_, has_pairs),
                                          parts,
                                          {.memory = memory, .cache = memory ? nullptr : &cache});
    scorer->start(asks);
    JobDone done = scorer->work(job);
    counts_ = scorer->counts();
    return done;
  }

  static constexpr Job kVisuals = {Job::Kind::kVisuals, 0, 4, 0};
  static constexpr Job kTexts = {Job::Kind::kTexts, 0, 4, 0};
  fs::path folder_;
  Counting::Log log_;
  WorkCounts counts_;
};

TEST_F(Remembering, WhatWasComputedOnceIsNotComputedAgain) {
  std::vector<float> cold = work(kVisuals).values;
  EXPECT_THAT(log_.worked, ElementsAre("v0-4"));
  EXPECT_EQ(work(kVisuals).values, cold);
  EXPECT_THAT(log_.worked, IsEmpty());
  JobDone texts = work(kTexts);
  EXPECT_THAT(log_.worked, ElementsAre("t0-4"));
  EXPECT_EQ(work(kTexts).values, texts.values);
  EXPECT_EQ(texts.width, 2U);
  EXPECT_THAT(log_.noted, ElementsAre(0, 1, 2, 3)) << "too long ones must still be counted";
}

TEST_F(Remembering, OnlyWhatIsMissingIsComputed) {
  std::vector<float> cold = work(kVisuals).values;
  write_text_file(folder_ / "1.jpg", "another picture");
  write_text_file(folder_ / "3.jpg", "another one");
  EXPECT_EQ(work(kVisuals).values, cold);
  EXPECT_THAT(log_.worked, ElementsAre("v1-2", "v3-4"));
}

TEST_F(Remembering, OnAGpuAJobIsComputedAsAWhole) {
  std::vector<float> cold = work(kVisuals, false, true).values;
  write_text_file(folder_ / "1.jpg", "another picture");
  EXPECT_EQ(work(kVisuals, false, true).values, cold);
  EXPECT_THAT(log_.worked, ElementsAre("v0-4"));
  work(kVisuals, false, true);
  EXPECT_THAT(log_.worked, IsEmpty());
}

TEST_F(Remembering, FailuresAreNotKept) {
  fs::remove(folder_ / "2.jpg");
  EXPECT_EQ(work(kVisuals).failures.size(), 1U);
  EXPECT_EQ(work(kVisuals).failures.size(), 1U);
  EXPECT_THAT(log_.worked, ElementsAre("v2-3"));
  write_text_file(folder_ / "2.jpg", "there now");
  EXPECT_TRUE(work(kVisuals).failures.empty());
}

TEST_F(Remembering, AProcessWorksOnceOnWhatItIsAskedAgain) {
  ProcessRows memory(folder_);
  for (bool is_on_gpu : {false, true}) {
    const Job first{Job::Kind::kVisuals, 0, 3, 0};
    std::vector<float> rows = work(first, false, is_on_gpu, &memory).values;
    EXPECT_EQ(counts_.known_visuals, is_on_gpu ? 3U : 0U);
    EXPECT_EQ(counts_.known_texts, is_on_gpu ? 4U : 0U);
    JobDone all = work(kVisuals, false, is_on_gpu, &memory);
    EXPECT_EQ(counts_.known_visuals, is_on_gpu ? 4U : 3U);
    EXPECT_THAT(all.values, ElementsAre(0, 0.5, 1, 0.5, 2, 0.5, 3, 0.5));
    EXPECT_EQ(rows, std::vector<float>(all.values.begin(), all.values.begin() + 6));
    if (!is_on_gpu) {
      EXPECT_THAT(log_.worked, ElementsAre("v3-4"));
    }
  }
  EXPECT_THAT(log_.worked, IsEmpty());
  work(kTexts, false, false, &memory);
  EXPECT_THAT(log_.worked, ElementsAre("t0-4"));
  work(kTexts, false, false, &memory);
  EXPECT_EQ(counts_.known_texts, 4U);
  EXPECT_THAT(log_.worked, IsEmpty());
  EXPECT_THAT(log_.noted, IsEmpty()) << "this process has counted them";
}

TEST_F(Remembering, AProcessKnowsAFileUnderAnotherName) {
  ProcessRows memory(folder_);
  work({Job::Kind::kVisuals, 0, 1, 0}, false, false, &memory);
  write_text_file(folder_ / "3.jpg", "picture 0");
  JobDone done = work({Job::Kind::kVisuals, 3, 4, 0}, false, false, &memory);
  EXPECT_THAT(log_.worked, IsEmpty());
  EXPECT_THAT(done.values, ElementsAre(0, 0.5));
  EXPECT_EQ(counts_.same_content, 1U);
  EXPECT_EQ(counts_.known_visuals, 0U);
}

TEST_F(Remembering, AProcessDoesNotTryAgainWhatFailed) {
  ProcessRows memory(folder_);
  fs::remove(folder_ / "2.jpg");
  EXPECT_EQ(work(kVisuals, false, false, &memory).failures.size(), 1U);
  EXPECT_EQ(work(kVisuals, false, false, &memory).failures.at(2).message(), "not there");
  EXPECT_THAT(log_.worked, IsEmpty());
}

TEST_F(Remembering, PairsAreKeptOneByOne) {
  const Job one{Job::Kind::kVisuals, 2, 3, 0};
  std::vector<float> cold = work(one, /*has_pairs=*/true).values;
  EXPECT_THAT(cold, ElementsAre(22));
  EXPECT_EQ(work(one, true).values, cold);
  EXPECT_THAT(log_.worked, IsEmpty());
  EXPECT_THAT(log_.noted, ElementsAre(2));
}

TEST_F(Remembering, PairsAreKeptWithinAProcess) {
  ProcessRows memory(folder_);
  const Job one{Job::Kind::kVisuals, 2, 3, 0};
  EXPECT_THAT(work(one, /*has_pairs=*/true, false, &memory).values, ElementsAre(22));
  EXPECT_THAT(work(one, true, false, &memory).values, ElementsAre(22));
  EXPECT_THAT(log_.worked, IsEmpty());
  EXPECT_THAT(log_.noted, IsEmpty());
}

}  // namespace
}  // namespace snellen::inference
