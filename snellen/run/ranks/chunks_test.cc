// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ranks/chunks.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace snellen::run {
namespace {

// Items of three with one picture each; every tenth record is bad.
class Threes : public tasks::Task {
 public:
  explicit Threes(uint64_t count) : count_(count) {}
  std::vector<tasks::Part> parts() const override { return {{"", count_}}; }
  std::vector<tasks::Column> columns() const override { return {}; }
  std::vector<std::filesystem::path> inputs() const override { return {}; }
  Result<tasks::Item> item(uint64_t position) const override {
    if (position % 10 == 9) return Error{ErrorCode::kInvalidInput, "bad"};
    tasks::Item item;
    item.id = fmt::format("{}", position);
    item.visuals = {{.name = fmt::format("{}.jpg", position / 3)}};
    return item;
  }
  Result<tasks::Outcome> judge(const tasks::Item&, const questions::Scores&) const override {
    return tasks::Outcome{};
  }

 private:
  uint64_t count_;
};

std::vector<OpenTask> open_threes(uint64_t count) {
  std::vector<OpenTask> tasks;
  tasks.push_back({"threes", nullptr, std::make_unique<Threes>(count), {{"", count}}});
  return tasks;
}

TEST(Chunks, AreSmallForFewItemsAndFewForMany) {
  EXPECT_EQ(num_chunks(0), 1U);
  EXPECT_EQ(num_chunks(64), 1U);
  EXPECT_EQ(num_chunks(2000), 32U);
  EXPECT_EQ(num_chunks(400'000), 6'250U);
  EXPECT_EQ(num_chunks(20'480'000), 16'384U);
  EXPECT_EQ(num_chunks(204'800'000), 100'000U);
}

TEST(Chunks, HoldEveryOpenItemOnceAndKeepPicturesTogether) {
  std::vector<OpenTask> tasks = open_threes(10'000);
  Plan plan(tasks, 0);
  std::vector<std::vector<bool>> done = {std::vector<bool>(10'000)};
  done[0][5] = true;
  Survey survey = survey_items({plan, tasks, {}, done, 3});
  EXPECT_EQ(survey.chunks.size(), num_chunks(10'000));
  std::set<uint64_t> seen;
  std::map<uint64_t, size_t> chunk_of_picture;
  for (size_t chunk = 0; chunk < survey.chunks.size(); ++chunk) {
    EXPECT_TRUE(std::is_sorted(survey.chunks[chunk].begin(), survey.chunks[chunk].end()));
    for (uint64_t item : survey.chunks[chunk]) {
      EXPECT_TRUE(seen.insert(item).second);
      if (item % 10 == 9) continue;
      auto [place, is_new] = chunk_of_picture.emplace(item / 3, chunk);
      EXPECT_EQ(place->second, chunk);
    }
  }
  EXPECT_EQ(seen.size(), 9'999U);
  EXPECT_FALSE(seen.contains(5));
}

TEST(Chunks, DoNotDependOnThreadsAndSplitAShardEvenly) {
  std::vector<OpenTask> tasks = open_threes(30'000);
  Plan plan(tasks, 0);
  std::vector<std::vector<bool>> done = {std::vector<bool>(30'000)};
  Survey one = survey_items({plan, tasks, {1, 4}, done, 1});
  Survey many = survey_items({plan, tasks, {1, 4}, done, 4});
  EXPECT_EQ(one.chunks, many.chunks);
  size_t num_empty = 0;
  for (const auto& chunk : one.chunks) num_empty += static_cast<size_t>(chunk.empty());
  EXPECT_LT(num_empty, one.chunks.size() / 10);
}

}  // namespace
}  // namespace snellen::run
