// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/vilma_suite_text.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/metrics/vilma/foil_report.h"

namespace snellen::metrics {
namespace {

using Json = nlohmann::ordered_json;

struct Column {
  const char* name;
  VilmaShare VilmaScores::*share;
};
constexpr std::array<Column, 3> kColumns = {
    {{"P", &VilmaScores::p}, {"T", &VilmaScores::t}, {"PT", &VilmaScores::pt}}};

Json count_of(double count) {
  if (count == std::floor(count)) return static_cast<uint64_t>(count);
  return count;
}

void add_scores(Json& out, const VilmaScores& scores, bool has_counts) {
  out["n"] = scores.n;
  for (const Column& column : kColumns)
    out[column.name] = rounded_percent((scores.*column.share).share);
  for (const Column& column : kColumns) {
    if (has_counts)
      out[fmt::format("n_{}", column.name)] = count_of((scores.*column.share).num_correct);
  }
  for (const Column& column : kColumns) {
    const VilmaShare& share = scores.*column.share;
    out["details"][column.name] = {{"ties", share.num_ties},
                                   {"chance", rounded_percent(share.chance)},
                                   {"low", rounded_percent(share.interval->low)},
                                   {"high", rounded_percent(share.interval->high)},
                                   {"interval", share.interval->method}};
  }
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string vilma_suite_json(const VilmaSuite& suite, std::span<const VilmaLeader> leaders) {
  Json out;
  out["subtasks"] = Json::array();
  for (const VilmaSubtask& subtask : suite.subtasks) {
    Json row = {{"case", subtask.name},
                {"annotation", subtask.annotation},
                {"task", subtask.task},
                {"subtask", subtask.subtask}};
    add_scores(row, subtask.scores, /*has_counts=*/true);
    out["subtasks"].push_back(std::move(row));
  }
  out["tasks"] = Json::object();
  for (const VilmaTask& task : suite.tasks)
    add_scores(out["tasks"][task.name], task.scores, /*has_counts=*/true);
  add_scores(out["macro_average_over_tasks"], suite.average, /*has_counts=*/false);
  out["is_complete"] = suite.is_complete;
  out["leaderboard"] = Json::array();
  for (const VilmaLeader& leader : leaders) {
    Json row = {{"model", leader.model}, {"type", leader.type}};
    for (size_t i = 0; i < kVilmaTasks.size(); ++i) {
      row[std::string(kVilmaTasks[i])] = number_or_null(leader.percents[i]);
    }
    row["average"] = number_or_null(leader.average);
    row["is_ours"] = leader.is_ours;
    out["leaderboard"].push_back(std::move(row));
  }
  // replace: names come from the user's files and may hold ill-formed UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace snellen::metrics
