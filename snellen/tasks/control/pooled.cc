// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/control/pooled.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/metrics/bias/answer_consistency.h"
#include "snellen/metrics/control/ladder_items.h"
#include "snellen/metrics/mean_statistics.h"

namespace snellen::tasks::control {
namespace {

using metrics::AnswerClass;
using metrics::LadderItem;
using metrics::LadderShare;
using metrics::LadderSummary;
using metrics::Measurement;

// Where the ladder of an item that was asked is stored: its answers stand beside it one by one.
const char* const kNested = "ladder/";

bool shares_images(const std::vector<LadderItem>& items) {
  std::set<std::string_view> images;
  for (const LadderItem& item : items) images.insert(item.image);
  return images.size() < items.size();
}

// Measures one group of ladders; ids start with "control/" and the group's name.
class GroupMeasure {
 public:
  GroupMeasure(std::string start,
               const std::vector<LadderItem>& items,
               const Levels& levels,
               const ControlOptions& control,
               const PooledOptions& options)
      : start_("control/" + std::move(start)),
        items_(items),
        levels_(levels),
        control_(control),
        options_(options) {
    metrics::LadderOptions wanted{.flips_at_first_c = control.flips_at_first_c,
                                  .counts_refusal_as_c = control.counts_refusal_as_c,
                                  .confidence = options.confidence};
    is_clustered_ = options.bootstrap > 0 || shares_images(items);
    if (is_clustered_) {
      wanted.bootstrap = metrics::bootstrap_options(options);
    }
    summary_ = metrics::summarize_ladder(items, levels.sigmas, wanted);
  }

  // `has_columns`: the store's columns give these items' own means already.
  std::vector<Measurement> measure(bool has_columns) {
    add_endings();
    add_curve();
    add_claims();
    if (!has_columns) {
      add_share("claim_fraction", summary_.claim_fraction, summary_.n, true);
      add_share("monotone_share", summary_.monotone, summary_.n, true);
      for (size_t level = 0; level < levels_.names.size(); ++level)
        add_share(
            levels_.names[level] + "/c_share", summary_.levels[level].c_share, summary_.n, true);
    }
    add_other_classes();
    return std::move(all_);
  }

 private:
  Measurement& add(const std::string& name, std::optional<double> value, uint64_t n) {
    Measurement& one = all_.emplace_back(Measurement{.id = start_ + name, .n = n});
    if (value) one.value = *value;
    return one;
  }

  void add_share(const std::string& name, const LadderShare& share, uint64_t n, bool higher) {
    Measurement& one = add(name, share.value, n);
    one.higher_is_better = higher;
    if (!share.value) one.reason = "no item is answered A or B at clean";
    metrics::set_interval(one, is_clustered_ ? share.clustered : share.wilson);
  }

  void add_endings() {
    const uint64_t n = summary_.n_determinate;
    add_share("image_reliance", summary_.image_reliance, n, true);
    add_share("persistence", summary_.persistence, n, false);
    add_share("swap", summary_.swap, n, false);
    add_share("refused_or_unparsed", summary_.refused_or_unparsed, n, false);
  }

  void add_curve() {
    metrics::MeanStatistics shares(levels_.names.size());
    for (const LadderItem& item : items_) {
      std::vector<double> is_c;
      for (const metrics::LadderAnswer& answer : item.answers)
        is_c.push_back(answer.answer == AnswerClass::kC ? 1 : 0);
      shares.add(std::span(&item.image, 1), is_c);
    }
    Measurement& gain = add("normalized_gain", summary_.normalized_gain, summary_.n);
    if (summary_.normalized_gain) {
      const stats::MeanInterval found = shares.interval(
          {.of =
               [](std::span<const double> c) {
                 return c.front() < 1 ? (c.back() - c.front()) / (1 - c.front()) : std::nan("");
               },
           .range = stats::StatisticRange::kAtMostOne,
           .rests_on_lacking = true},
          options_);
      metrics::set_interval(gain, found.interval, found.reason);
    } else {
      gain.reason = "every item is answered C at clean";
    }
    Measurement& area = add("auc_c", summary_.auc_c, summary_.n);
    if (summary_.auc_c) {
      const stats::MeanInterval found =
          shares.interval({.of =
                               [](std::span<const double> c) {
                                 double sum = 0;
                                 for (size_t i = 1; i < c.size(); ++i) sum += (c[i - 1] + c[i]) / 2;
                                 return sum / static_cast<double>(c.size() - 1);
                               },
                           .range = stats::StatisticRange::kShare},
                          options_);
      metrics::set_interval(area, found.interval, found.reason);
    } else {
      area.reason = "one level has no area";
    }
  }

  // The claim at the last level, and at each level by itself: e4 is the seed's, pure ours.
  void add_claims() {
    for (size_t level = levels_.names.size(); level-- > 0;) {
      uint64_t met = 0;
      for (const LadderItem& item : items_) {
        AnswerClass answer = item.answers[level].answer;
        met += answer == AnswerClass::kC ||
               (control_.counts_refusal_as_c && answer == AnswerClass::kR);
      }
      bool is_last = level + 1 == levels_.names.size();
      auto state = [&](const std::string& name) {
        Measurement& one = add(name, met == items_.size() ? 1 : 0, items_.size());
        one.reason =
            met == items_.size()
                ? fmt::format("holds: every item is answered C at {}", levels_.names[level])
                : fmt::format("does not hold: {} of {} items are not answered C at {}",
                              items_.size() - met,
                              items_.size(),
                              levels_.names[level]);
      };
      if (is_last) state("claim_holds");
      if (level > 0) state(levels_.names[level] + "/claim_holds");
    }
  }

  void add_other_classes() {
    for (size_t level = 0; level < levels_.names.size(); ++level) {
      for (AnswerClass answer :
           {AnswerClass::kA, AnswerClass::kB, AnswerClass::kR, AnswerClass::kU}) {
        uint64_t count = summary_.levels[level].counts[static_cast<size_t>(answer)];
        char letter = static_cast<char>(metrics::letter_of(answer) - 'A' + 'a');
        Measurement& one = add(fmt::format("{}/{}_share", levels_.names[level], letter),
                               static_cast<double>(count) / static_cast<double>(items_.size()),
                               summary_.n);
        one.higher_is_better = false;
        metrics::set_interval(one, stats::wilson(count, summary_.n, options_.confidence));
      }
    }
  }

  std::string start_;
  const std::vector<LadderItem>& items_;
  const Levels& levels_;
  const ControlOptions& control_;
  const PooledOptions& options_;
  LadderSummary summary_;
  bool is_clustered_ = false;
  std::vector<Measurement> all_;
};

void append(std::vector<Measurement>& all, std::vector<Measurement>&& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

void add_consistency(const std::vector<metrics::LevelAnswer>& answers,
                     metrics::ConsistencyOver over,
                     std::vector<Measurement>& all) {
  metrics::AnswerConsistency found =
      metrics::answer_consistency(metrics::consistency_groups(answers, over));
  if (found.num_groups == 0) return;
  const char* name = over == metrics::ConsistencyOver::kReplicates ? "replicates" : "orders";
  Measurement agreement{.id = fmt::format("control/{}/agreement", name), .n = found.num_answers};
  if (found.share) agreement.value = *found.share;
  Measurement kappa{.id = fmt::format("control/{}/kappa", name), .n = found.num_groups};
  if (found.fleiss_kappa) {
    kappa.value = *found.fleiss_kappa;
  } else {
    kappa.reason = "groups differ in size, or every answer is the same";
  }
  all.push_back(std::move(agreement));
  all.push_back(std::move(kappa));
}

// How far the best option leads at each level, over the items that were answered by scores.
class LevelLeads {
 public:
  explicit LevelLeads(const Levels& levels)
      : num_levels_(levels.names.size()), means_("control/", columns(levels)) {}

  void add(const StoredItem& stored) {
    const auto leads = stored.outcome.named.get<std::vector<double>>(kLeads);
    if (leads.size() == num_levels_) means_.add(stored.clusters, leads);
  }
  void measure(const PooledOptions& options, std::vector<Measurement>& all) const {
    if (means_.num_items() > 0) means_.measure(options, all);
  }

 private:
  static std::vector<metrics::MetricColumn> columns(const Levels& levels) {
    std::vector<metrics::MetricColumn> columns;
    for (const std::string& name : levels.names) columns.push_back({.name = name + "/lead"});
    return columns;
  }

  size_t num_levels_;
  metrics::GroupMeans means_;
};

}  // namespace

NamedValues named_values(const Ladder& ladder, bool is_nested) {
  std::string answers;
  std::vector<int64_t> options;
  std::string asked;
  for (size_t level = 0; level < ladder.item.answers.size(); ++level) {
    answers += metrics::letter_of(ladder.item.answers[level].answer);
    options.push_back(ladder.item.answers[level].option);
    asked += ladder.is_asked[level] ? '1' : '0';
  }
  const std::string start = is_nested ? kNested : "";
  NamedValues named;
  named.put(start + "answers", answers);
  named.put(start + "options", options);
  named.put(start + "asked", asked);
  named.put(start + "question", ladder.item.id);
  named.put(start + "replicate", ladder.item.replicate);
  named.put(start + "order", ladder.item.order);
  named.put(start + "condition", ladder.item.condition);
  named.put(start + "subset", ladder.item.subset);
  return named;
}

Ladder ladder_of(const NamedValues& named) {
  const std::string start = named.find(kNested + std::string("answers")) != nullptr ? kNested : "";
  Ladder ladder;
  ladder.item.id = named.get<std::string>(start + "question");
  ladder.item.condition = named.get<std::string>(start + "condition");
  ladder.item.subset = named.get<std::string>(start + "subset");
  ladder.item.replicate = named.get<int64_t>(start + "replicate");
  ladder.item.order = named.get<int64_t>(start + "order");
  ladder.item.answers = metrics::ladder_answers(named.get<std::string>(start + "answers"));
  const auto options = named.get<std::vector<int64_t>>(start + "options");
  const auto asked = named.get<std::string>(start + "asked");
  for (size_t level = 0; level < ladder.item.answers.size(); ++level) {
    if (level < options.size())
      ladder.item.answers[level].option = static_cast<uint8_t>(options[level]);
    ladder.is_asked.push_back(level < asked.size() && asked[level] == '1');
  }
  return ladder;
}

std::vector<Measurement> pooled_metrics(const Levels& levels,
                                        const ControlOptions& control,
                                        OutcomeReader& outcomes,
                                        const PooledOptions& options) {
  std::vector<LadderItem> items;
  std::vector<metrics::LevelAnswer> answers;
  LevelLeads leads(levels);
  outcomes.for_each_scored("", [&](const StoredItem& stored) {
    leads.add(stored);
    Ladder ladder = ladder_of(stored.outcome.named);
    if (ladder.item.answers.size() != levels.names.size()) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "holds {} answers for {} levels", ladder.item.answers.size(), levels.names.size()),
          fmt::format("samples.db: {}", stored.id)};
    }
    for (size_t level = 0; level < levels.names.size(); ++level) {
      if (!ladder.is_asked[level]) continue;
      answers.push_back({.id = ladder.item.id,
                         .image = {},
                         .category = {},
                         .condition = {},
                         .subset = {},
                         .level = level,
                         .replicate = ladder.item.replicate,
                         .order = ladder.item.order,
                         .answer = ladder.item.answers[level]});
    }
    ladder.item.image = stored.clusters.front();
    ladder.item.category = stored.category;
    items.push_back(std::move(ladder.item));
  });
  if (items.empty()) return {};
  std::vector<Measurement> all = GroupMeasure("", items, levels, control, options).measure(true);
  auto add_groups = [&](const char* by, std::string LadderItem::*key, bool has_columns) {
    std::map<std::string, std::vector<LadderItem>> groups;
    for (const LadderItem& item : items) {
      if (!(item.*key).empty()) groups[item.*key].push_back(item);
    }
    for (const auto& [name, group] : groups) {
      append(all,
             GroupMeasure(fmt::format("{}/{}/", by, name), group, levels, control, options)
                 .measure(has_columns));
    }
  };
  add_groups("by-category", &LadderItem::category, true);
  add_groups("by-condition", &LadderItem::condition, false);
  add_groups("by-subset", &LadderItem::subset, false);
  add_consistency(answers, metrics::ConsistencyOver::kReplicates, all);
  add_consistency(answers, metrics::ConsistencyOver::kOrders, all);
  leads.measure(options, all);
  return all;
}

}  // namespace snellen::tasks::control
