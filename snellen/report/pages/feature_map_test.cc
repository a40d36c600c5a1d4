// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/formats/npy.h"
#include "snellen/report/pages/figure.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FeatureMapTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }

  // A run that kept features of three kinds, with its map computed already.
  void add_run(const std::string& name, size_t num_items, size_t num_drawn) {
    const fs::path features = folder_ / name / "features";
    fs::create_directories(features);
    std::string items;
    for (size_t i = 0; i < num_items; ++i) items += fmt::format("{}\"{}\"", i > 0 ? "," : "", i);
    write_text_file(features / "probe-r.json",
                    fmt::format(R"({{"kinds":["picture","R1","R2"],"items":[{}]}})", items));
    std::vector<float> rows(num_items * 3 * 2);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i % 97 + name.size());
    formats::write_npy(features / "probe-r.npy", std::span<const float>(rows), num_items * 3, 2);
    const std::string key =
        sha256_hex("tsne 1\n" + sha256_of_file(features / "probe-r.npy")).substr(0, 32);
    std::vector<double> places(num_drawn * 3 * 2, 0.5);
    input_.map_folder = folder_ / "maps";
    fs::create_directories(input_.map_folder);
    formats::write_npy(
        input_.map_folder / (key + ".npy"), std::span<const double>(places), num_drawn * 3, 2);
    input_.runs.push_back({.stored = {.paths = store::RunPaths(folder_ / name), .stamp = {}},
                           .name = name,
                           .label = name});
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("snellen_map_{}", ::getpid());
  ReportInput input_;
  std::vector<std::string> notes_;
};

TEST_F(FeatureMapTest, ShowsTheFirstOfManyGroups) {
  add_run("large", 7000, 6666);
  const std::vector<Figure> figures = feature_figures(input_, notes_);
  EXPECT_TRUE(notes_.empty()) << notes_.front();
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_THAT(figures[0].svg, HasSubstr("the first 6666 of 7000 groups"));
}

TEST_F(FeatureMapTest, SaysWhichRunsItHasNoRoomFor) {
  for (int i = 1; i <= 8; ++i) add_run(fmt::format("run{}{}", i, std::string(i, 'x')), 12, 12);
  EXPECT_EQ(feature_figures(input_, notes_).size(), 1U);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_EQ(notes_[0], "features: a map has room for 6 runs; not drawn: run7xxxxxxx, run8xxxxxxxx");
}

}  // namespace
}  // namespace snellen::report
