// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/close/pooled.h"

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/python_json.h"
#include "snellen/formats/json.h"
#include "snellen/metrics/bias/close_ended.h"
#include "snellen/tasks/pooled_shares.h"

namespace snellen::tasks::bias_close {
namespace {

using metrics::CloseBlock;
using metrics::CloseOutcome;
using metrics::CloseReport;
using metrics::Measurement;

// Places in columns().
constexpr size_t kAccuracy = 0;
constexpr size_t kUnknown = 4;

// Where the shares of a comparison stand; categories follow.
enum Share : size_t { kBase, kText, kScene, kSceneText, kNeg, kNonNeg, kFirstCategory };

bool is_disambiguated(const std::string& condition) {
  return condition == "neg" || condition == "non_neg";
}

std::optional<size_t> share_of_subset(const std::string& subset) {
  if (subset == "base") return kBase;
  if (subset == "text") return kText;
  if (subset == "scene") return kScene;
  if (subset == "scene_text") return kSceneText;
  return std::nullopt;
}

// Collects the stored items of a run into blocks and shares.
class Collector {
 public:
  void add(const std::string& subset, const StoredItem& item) {
    Detail detail = Detail::from_json(item.outcome.detail);
    const std::vector<double>& values = item.outcome.values;
    CloseOutcome outcome{.id = item.id,
                         .image = item.cluster,
                         .subset = subset,
                         .category = item.category,
                         .condition = detail.condition,
                         .label = 0,
                         .parsed = {},
                         .is_right = values.at(kAccuracy) == 1.0,
                         .is_unknown = values.at(kUnknown) == 1.0};
    outcomes_.push_back(std::move(outcome));
    if (!subset.empty()) block("", columns().size()).add(item.cluster, values);
    if (!detail.condition.empty())
      block("by-condition/" + detail.condition + "/", columns().size()).add(item.cluster, values);
    if (is_disambiguated(detail.condition))
      block("by-condition/disambig/", columns().size()).add(item.cluster, values);
    if (!item.category.empty()) {
      block("by-category/" + item.category + "/", columns().size()).add(item.cluster, values);
      if (!subset.empty())
        block(fmt::format("{}/{}/", subset, item.category), 1).add(item.cluster, values);
      categories_.try_emplace(item.category, categories_.size());
    }
  }

  std::vector<Measurement> measure(const PooledOptions& options) const {
    std::vector<Measurement> all;
    for (const auto& [name, block] : blocks_) {
      for (Measurement& one : block.measure("bias-close/" + name, columns(), options))
        all.push_back(std::move(one));
    }
    add_comparisons(options, all);
    return all;
  }

 private:
  ShareBlock& block(const std::string& name, size_t num_columns) {
    return blocks_.try_emplace(name, num_columns).first->second;
  }

  PooledShares shares() const {
    PooledShares shares(kFirstCategory + categories_.size());
    for (const CloseOutcome& outcome : outcomes_) {
      double value = outcome.is_right ? 1 : 0;
      if (auto share = share_of_subset(outcome.subset)) shares.add(outcome.image, *share, value);
      if (outcome.condition == "neg") shares.add(outcome.image, kNeg, value);
      if (outcome.condition == "non_neg") shares.add(outcome.image, kNonNeg, value);
      if (!outcome.category.empty())
        shares.add(outcome.image, kFirstCategory + categories_.at(outcome.category), value);
    }
    return shares;
  }

  static Measurement comparison(const char* name,
                                std::optional<double> value,
                                uint64_t n,
                                const char* needs) {
    Measurement one{.id = fmt::format("bias-close/{}", name), .n = n};
    if (value) {
      one.value = *value;
    } else {
      one.reason = fmt::format("needs items of {}", needs);
    }
    return one;
  }

  void add_comparisons(const PooledOptions& options, std::vector<Measurement>& all) const {
    CloseReport report = metrics::aggregate_close(outcomes_);
    auto n_of = [](const std::vector<CloseBlock>& blocks, std::string_view a, std::string_view b) {
      uint64_t n = 0;
      for (const CloseBlock& block : blocks) n += block.name == a || block.name == b ? block.n : 0;
      return n;
    };
    PooledShares pooled = shares();
    auto add_difference = [&](Measurement one, size_t a, size_t b) {
      auto statistic = [a, b](std::span<const double> s) { return s[a] - s[b]; };
      if (!std::isnan(one.value)) set_interval(one, pooled.interval(statistic, options));
      all.push_back(std::move(one));
    };
    add_difference(comparison("delta_base",
                              report.delta_base,
                              n_of(report.by_subset, "base", "text"),
                              "the subsets base and text"),
                   kBase,
                   kText);
    add_difference(comparison("delta_scene",
                              report.delta_scene,
                              n_of(report.by_subset, "scene", "scene_text"),
                              "the subsets scene and scene_text"),
                   kScene,
                   kSceneText);
    add_difference(comparison("bias_score",
                              report.bias_score,
                              n_of(report.by_condition, "neg", "non_neg"),
                              "the conditions neg and non_neg"),
                   kNonNeg,
                   kNeg);
    uint64_t in_categories = 0;
    for (const CloseBlock& block : report.by_category) in_categories += block.n;
    Measurement macro = comparison(
        "macro_category_accuracy", report.macro_category_accuracy, in_categories, "a category");
    auto mean_of_categories = [](std::span<const double> s) {
      double sum = 0;
      size_t count = 0;
      for (double share : s.subspan(kFirstCategory)) {
        if (std::isnan(share)) continue;  // a category that was not drawn
        sum += share;
        ++count;
      }
      return count == 0 ? std::nan("") : sum / static_cast<double>(count);
    };
    if (!std::isnan(macro.value)) set_interval(macro, pooled.interval(mean_of_categories, options));
    all.push_back(std::move(macro));
    all.push_back(unknown_in_disambig(all));
  }

  // The same share as by-condition/disambig/unknown_rate, under the name the benchmark uses.
  static Measurement unknown_in_disambig(const std::vector<Measurement>& measured) {
    Measurement one = comparison("unknown_in_disambig", {}, 0, "the conditions neg or non_neg");
    for (const Measurement& other : measured) {
      if (other.id != "bias-close/by-condition/disambig/unknown_rate") continue;
      std::string id = one.id;
      one = other;
      one.id = id;
    }
    one.higher_is_better = false;
    return one;
  }

  std::map<std::string, ShareBlock> blocks_;  // by the middle of their ids
  std::map<std::string, size_t> categories_;  // to their place among the shares
  std::vector<CloseOutcome> outcomes_;        // what the report and the shares are made from
};

}  // namespace

const std::vector<Column>& columns() {
  static const std::vector<Column> columns = {
      {.name = "accuracy", .is_share = true},
      {.name = "accuracy_parsed", .is_share = true},
      {.name = "parse_rate", .is_share = true},
      {.name = "refusal_rate", .is_share = true, .higher_is_better = false},
      {.name = "unknown_rate", .is_share = true, .higher_is_better = false},
  };
  return columns;
}

std::string Detail::to_json() const {
  return fmt::format(R"({{"condition": {}, "status": {}, "rule": {}, "unknown": {}}})",
                     json_string(condition),
                     json_string(status),
                     json_string(rule),
                     is_unknown);
}

Detail Detail::from_json(const std::string& json) {
  nlohmann::json read = formats::parse_json(json);
  if (!read.is_object()) return {};
  return {.condition = read.value("condition", ""),
          .status = read.value("status", ""),
          .rule = read.value("rule", ""),
          .is_unknown = read.value("unknown", false)};
}

std::vector<Measurement> pooled_metrics(const std::vector<Part>& parts,
                                        OutcomeReader& outcomes,
                                        const PooledOptions& options) {
  Collector collector;
  for (const Part& part : parts) {
    outcomes.for_each_scored(part.name,
                             [&](const StoredItem& item) { collector.add(part.name, item); });
  }
  return collector.measure(options);
}

}  // namespace snellen::tasks::bias_close
