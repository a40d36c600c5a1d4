// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include "snellen/report/compare_text.h"
#include "snellen/report/stored_run.h"

namespace snellen::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestText = 1000;  // code points of a text taken from a run folder

std::string cut(const std::string& text) {
  return fit_text(text, kLongestText);
}

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json decision(const std::optional<bool>& is_right) {
  return is_right ? Json(*is_right) : Json();
}

Json row_json(const ComparedRow& row, const Comparison& comparison) {
  Json json = {{"kind", name_of(row.kind)},
               {"first", "A"},
               {"second", comparison.runs[row.run].label},
               {"id", cut(row.id)},
               {"unit", row.is_share ? "share" : "mean"},
               {"higher_is_better", row.higher_is_better},
               {"n", row.n},
               {"left_out", row.num_undefined},
               {"value_first", number(row.first)},
               {"value_second", number(row.second)},
               {"difference", number(row.difference)},
               {"low", Json()},
               {"high", Json()},
               {"interval", Json()},
               {"reason", row.reason.empty() ? Json() : Json(row.reason)},
               {"clusters", row.num_clusters},
               {"effective_n", number(row.effective_n)},
               {"ties_first", row.first_ties},
               {"ties_second", row.second_ties},
               {"counts", Json()},
               {"p", number(row.p)},
               {"p_is_floor", row.is_p_floor},
               {"p_method", row.p ? Json(row.p_method) : Json()},
               {"mid_p", number(row.mid_p)},
               {"p_holm", number(row.p_holm)},
               {"detectable", number(row.detectable)},
               {"finding", finding_of(row, comparison)}};
  if (row.interval) {
    json["low"] = number(row.interval->low);
    json["high"] = number(row.interval->high);
    json["interval"] = row.interval->method;
  }
  if (row.counts) {
    json["counts"] = {{"both_right", row.counts->both_right},
                      {"only_first", row.counts->only_first},
                      {"only_second", row.counts->only_second},
                      {"both_wrong", row.counts->both_wrong}};
  }
  return json;
}

Json items_json(const Comparison& comparison) {
  Json items = Json::array();
  for (const ComparedItem& one : comparison.items) {
    items.push_back({{"second", comparison.runs[one.run].label},
                     {"task", cut(one.task)},
                     {"item", cut(one.what.item)},
                     {"right_first", decision(one.what.first_right)},
                     {"right_second", decision(one.what.second_right)},
                     {"margin_first", number(one.what.first_margin)},
                     {"margin_second", number(one.what.second_margin)}});
  }
  return items;
}

Json coverage_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const Coverage& one : comparison.coverage) {
    list.push_back({{"second", comparison.runs[one.run].label},
                    {"task", cut(one.task)},
                    {"part", cut(one.part)},
                    {"scored_first", one.first_scored},
                    {"scored_second", one.second_scored},
                    {"unscored_first", one.first_unscored},
                    {"unscored_second", one.second_unscored},
                    {"common", one.common}});
  }
  return list;
}

Json pooled_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const PooledRow& row : comparison.pooled) {
    list.push_back({{"second", comparison.runs[row.run].label},
                    {"id", cut(row.id)},
                    {"value_first", number(row.first)},
                    {"value_second", number(row.second)},
                    {"difference", number(row.second - row.first)},
                    {"n_first", row.first_n},
                    {"n_second", row.second_n}});
  }
  return list;
}

Json ranks_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const RankRow& one : comparison.ranks) {
    list.push_back({{"task", cut(one.task)},
                    {"run", comparison.runs[one.run].label},
                    {"value", number(one.value)},
                    {"n", one.n},
                    {"rank", one.rank},
                    {"low", one.low},
                    {"high", one.high}});
  }
  return list;
}

}  // namespace

std::string comparison_as_json(const Comparison& comparison) {
  const CompareOptions& options = comparison.options;
  Json json;
  json["schema"] = 1;
  json["confidence"] = options.confidence;
  json["bootstrap"] = options.bootstrap;
  json["permutations"] = options.permutations;
  json["test"] = name_of(options.test);
  json["seed"] = options.seed;
  json["families"] = {{"task", comparison.family_size(RowKind::kTask)},
                      {"part", comparison.family_size(RowKind::kPart)},
                      {"metric", comparison.family_size(RowKind::kColumn)}};
  json["runs"] = Json::array();
  for (const ComparedRun& run : comparison.runs) {
    json["runs"].push_back({{"label", run.label},
                            {"folder", run.folder},
                            {"model", cut(run.model)},
                            {"verdict", cut(run.verdict)}});
  }
  json["coverage"] = coverage_json(comparison);
  json["rows"] = Json::array();
  for (const ComparedRow& row : comparison.rows) json["rows"].push_back(row_json(row, comparison));
  json["ranks"] = ranks_json(comparison);
  json["pooled"] = pooled_json(comparison);
  json["items"] = items_json(comparison);
  json["warnings"] = comparison.warnings;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace snellen::report
