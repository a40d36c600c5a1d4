// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/vilma_leaderboard.h"

#include <algorithm>

#include "snellen/metrics/vilma/foil_report.h"

namespace snellen::metrics {
namespace {

struct Published {
  const char* model;
  const char* type;
  std::array<double, 5> percents;
  double average;
};

// Columns: counting, situation awareness, change of state, rare actions, spatial relations; then
// their mean.
constexpr std::array<Published, 17> kPublished = {{
    {"Random", "-", {25.0, 18.9, 25.0, 25.0, 25.0}, 23.8},
    {"GPT-2", "text", {27.6, 31.7, 10.8, 17.7, 43.0}, 26.2},
    {"OPT", "text", {31.0, 38.7, 12.9, 14.9, 55.7}, 30.6},
    {"CLIP", "image", {46.2, 33.6, 52.2, 87.8, 44.8}, 52.9},
    {"BLIP2", "image", {43.7, 55.7, 38.1, 70.5, 79.4}, 57.5},
    {"ClipBERT", "video", {28.0, 31.9, 33.5, 17.7, 14.1}, 25.0},
    {"UniVL", "video", {32.2, 24.1, 43.0, 59.9, 33.2}, 38.5},
    {"VideoCLIP", "video", {36.5, 24.9, 25.9, 67.5, 39.7}, 38.9},
    {"FiT", "video", {44.6, 29.1, 47.8, 80.7, 38.7}, 48.2},
    {"CLIP4Clip", "video", {48.0, 37.6, 52.1, 78.7, 44.2}, 52.1},
    {"VIOLET", "video", {36.5, 32.4, 49.1, 74.6, 38.7}, 46.3},
    {"X-CLIP", "video", {46.4, 31.0, 46.0, 72.3, 43.5}, 47.8},
    {"MCQ", "video", {41.5, 26.3, 45.3, 82.3, 39.4}, 47.0},
    {"Singularity", "video", {41.5, 30.1, 50.3, 83.1, 38.9}, 48.8},
    {"UniPerceiver", "video", {23.0, 21.1, 29.1, 34.7, 20.1}, 25.6},
    {"MERLOT Reserve", "video", {46.9, 25.3, 50.4, 77.6, 29.2}, 45.9},
    {"VindLU", "video", {43.5, 31.2, 45.6, 88.0, 39.4}, 49.5},
}};

}  // namespace

std::vector<VilmaLeader> published_vilma_leaders() {
  std::vector<VilmaLeader> leaders;
  for (const Published& row : kPublished) {
    VilmaLeader leader{
        .model = row.model, .type = row.type, .percents = {}, .average = row.average};
    std::copy(row.percents.begin(), row.percents.end(), leader.percents.begin());
    leaders.push_back(std::move(leader));
  }
  return leaders;
}

std::vector<VilmaLeader> vilma_leaders_with(const VilmaSuite& suite, std::string model) {
  VilmaLeader ours{
      .model = std::move(model), .type = "ours", .percents = {}, .average = {}, .is_ours = true};
  for (const VilmaTask& task : suite.tasks) {
    const auto column = std::find(kVilmaTasks.begin(), kVilmaTasks.end(), task.name);
    if (column == kVilmaTasks.end()) continue;
    ours.percents[static_cast<size_t>(column - kVilmaTasks.begin())] =
        rounded_percent(task.scores.pt.share);
  }
  if (suite.is_complete) ours.average = rounded_percent(suite.average.pt.share);
  std::vector<VilmaLeader> leaders = published_vilma_leaders();
  leaders.push_back(std::move(ours));
  std::stable_sort(leaders.begin(), leaders.end(), [](const VilmaLeader& a, const VilmaLeader& b) {
    return a.average.value_or(-1.0) > b.average.value_or(-1.0);
  });
  return leaders;
}

}  // namespace snellen::metrics
