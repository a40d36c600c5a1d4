// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/close/letters.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/metrics/group_means.h"
#include "snellen/tasks/bias/asked_questions.h"

namespace snellen::tasks::bias_close {
namespace {

using metrics::Measurement;

constexpr const char* kStart = "bias-close/";

// Where an option that is stored under this name stood.
std::optional<size_t> place_of(const StoredItem& item,
                               const char* name,
                               const std::vector<int64_t>& presented) {
  if (item.outcome.named.find(name) == nullptr) return std::nullopt;
  const auto found = std::ranges::find(presented, item.outcome.named.get<int64_t>(name));
  if (found == presented.end()) return std::nullopt;
  return static_cast<size_t>(found - presented.begin());
}

}  // namespace

void Letters::add(const std::string& subset, const StoredItem& item) {
  const NamedValues& named = item.outcome.named;
  const auto presented = named.get<std::vector<int64_t>>(AskedQuestions::kPresented);
  if (presented.empty() || named.get<std::string>("rule") == AskedQuestions::kBySimilarity) return;
  num_letters_ = std::max(num_letters_, presented.size());
  answers_.push_back({.clusters = item.clusters,
                      .chosen = place_of(item, kChosen, presented),
                      .right = place_of(item, kRight, presented)});
  add_shift(subset, item, presented.size());
}

void Letters::add_shift(const std::string& subset, const StoredItem& item, size_t num_options) {
  const auto order = static_cast<size_t>(item.outcome.named.get<int64_t>("order"));
  has_orders_ = has_orders_ || order > 0;
  if (order >= num_options) return;  // the first ones are the shifts
  const auto [found, is_new] =
      places_.try_emplace({subset, item.outcome.named.get<std::string>("id")}, rounds_.size());
  if (is_new) rounds_.push_back({.clusters = item.clusters, .num_options = num_options});
  Round& round = rounds_[found->second];
  ++round.num_shifts;
  round.is_right = round.is_right && item.outcome.is_correct.value_or(false);
}

Measurement Letters::majority_letter() const {
  std::vector<uint64_t> counts(num_letters_);
  uint64_t num_questions = 0;
  for (const Answer& answer : answers_) {
    if (!answer.right) continue;
    ++counts[*answer.right];
    ++num_questions;
  }
  Measurement one{.id = fmt::format("{}majority_letter", kStart), .n = num_questions};
  if (num_questions == 0) {
    one.reason = "no question says which option is right";
    return one;
  }
  one.value =
      static_cast<double>(*std::ranges::max_element(counts)) / static_cast<double>(num_questions);
  metrics::set_interval(one, std::nullopt, "a count of the questions, the same for every model");
  return one;
}

void Letters::measure(const PooledOptions& options, std::vector<Measurement>& all) const {
  if (answers_.empty()) return;
  std::vector<metrics::MetricColumn> columns;
  for (size_t letter = 0; letter < num_letters_; ++letter)
    columns.push_back({.name = fmt::format("letter/{}", option_letter(letter)), .is_share = true});
  metrics::GroupMeans shares(kStart, columns);
  for (const Answer& answer : answers_) {
    std::vector<double> values(num_letters_, answer.chosen ? 0.0 : std::nan(""));
    if (answer.chosen) values[*answer.chosen] = 1;
    shares.add(answer.clusters, values);
  }
  shares.measure(options, all);
  all.push_back(majority_letter());
  if (has_orders_) measure_rounds(options, all);
}

void Letters::measure_rounds(const PooledOptions& options, std::vector<Measurement>& all) const {
  const std::vector<metrics::MetricColumn> columns = {
      {.name = "circular_accuracy", .is_share = true}};
  metrics::GroupMeans shares(kStart, columns);
  for (const Round& round : rounds_) {
    if (round.num_shifts < round.num_options) continue;
    const double value = round.is_right ? 1 : 0;
    shares.add(round.clusters, std::span(&value, 1));
  }
  const size_t place = all.size();
  shares.measure(options, all);
  if (shares.num_items() == 0)
    all[place].reason = "no question was answered under all shifts of its options; raise --orders";
}

}  // namespace snellen::tasks::bias_close
