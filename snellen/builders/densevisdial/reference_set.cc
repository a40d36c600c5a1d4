// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/densevisdial/reference_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::builders::densevisdial {
namespace {

struct Letter {
  Rule rule;
  std::string_view letter;
};
constexpr std::array<Letter, 4> kLetters = {
    {{Rule::kSigma, "S"}, {Rule::kMeanShift, "M"}, {Rule::kWard, "G"}, {Rule::kHuman, "H"}}};

constexpr double kBandwidthQuantile = 0.3;
constexpr double kSmallestMove = 1e-3;  // of the bandwidth
constexpr int kMostMoves = 300;
constexpr size_t kWardClusters = 5;

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double sample_sd(std::span<const double> values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double mean = mean_of(values);
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// The mean distance to the q-th nearest value; `sorted` ascending.
double bandwidth_of(std::span<const double> sorted) {
  const size_t count = sorted.size();
  const auto q =
      std::max<size_t>(1, static_cast<size_t>(kBandwidthQuantile * static_cast<double>(count)));
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    // The q nearest are adjacent; the window slides to where its farther end is nearest.
    double nearest = std::numeric_limits<double>::infinity();
    const size_t first = i + 1 >= q ? i + 1 - q : 0;
    for (size_t begin = first; begin <= i && begin + q <= count; ++begin)
      nearest =
          std::min(nearest, std::max(sorted[i] - sorted[begin], sorted[begin + q - 1] - sorted[i]));
    sum += nearest;
  }
  return sum / static_cast<double>(count);
}

struct Mode {
  double value = 0;
  size_t num_within = 0;
};

// Where a seed comes to rest.
Mode climb(double seed, std::span<const double> sorted, double bandwidth) {
  Mode mode{seed, 0};
  for (int moves = 0;; ++moves) {
    const auto begin = std::lower_bound(sorted.begin(), sorted.end(), mode.value - bandwidth);
    const auto end = std::upper_bound(begin, sorted.end(), mode.value + bandwidth);
    mode.num_within = static_cast<size_t>(end - begin);
    if (mode.num_within == 0) return mode;
    const double moved = mean_of({begin, end});
    const double distance = std::abs(moved - mode.value);
    mode.value = moved;
    if (distance < kSmallestMove * bandwidth || moves == kMostMoves) return mode;
  }
}

// Distinct modes, those with many values first; one within a bandwidth of a better one goes.
std::vector<double> centres_of(std::span<const double> sorted, double bandwidth) {
  std::map<double, size_t> modes;
  for (double seed : sorted) {
    const Mode mode = climb(seed, sorted, bandwidth);
    if (mode.num_within > 0) modes[mode.value] = mode.num_within;
  }
  std::vector<std::pair<size_t, double>> by_size;
  for (const auto& [value, count] : modes) by_size.emplace_back(count, value);
  std::sort(by_size.begin(), by_size.end(), std::greater<>());
  std::vector<double> kept;
  for (const auto& [count, value] : by_size) {
    const bool is_near = std::any_of(kept.begin(), kept.end(), [&, value = value](double other) {
      return std::abs(other - value) <= bandwidth;
    });
    if (!is_near) kept.push_back(value);
  }
  return kept;
}

std::vector<bool> largest_alone(std::span<const double> values) {
  const double largest = *std::max_element(values.begin(), values.end());
  std::vector<bool> members;
  for (double value : values) members.push_back(value == largest);
  return members;
}

std::vector<bool> at_least(std::span<const double> values, double threshold) {
  std::vector<bool> members;
  for (double value : values) members.push_back(value >= threshold);
  return members;
}

std::vector<bool> sigma_members(std::span<const double> values) {
  return at_least(values, *std::max_element(values.begin(), values.end()) - sample_sd(values));
}

std::vector<bool> mean_shift_members(std::span<const double> values) {
  const MeanShift shift = mean_shift(values);
  if (shift.centres.empty()) return largest_alone(values);
  std::vector<bool> members;
  for (size_t centre : shift.nearest) members.push_back(centre == 0);
  return members;
}

// Ward's cheapest merge in one dimension is always between neighbours.
std::vector<bool> ward_members(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto num_distinct =
      static_cast<size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  if (num_distinct < kWardClusters) return largest_alone(values);
  sorted.assign(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  struct Group {
    double first;  // its smallest value
    double mean;
    double count;
  };
  std::vector<Group> groups;
  for (double value : sorted) groups.push_back({value, value, 1});
  auto cost = [&](size_t i) {
    const Group& a = groups[i];
    const Group& b = groups[i + 1];
    return a.count * b.count / (a.count + b.count) * (b.mean - a.mean) * (b.mean - a.mean);
  };
  while (groups.size() > kWardClusters) {
    size_t cheapest = 0;
    for (size_t i = 1; i + 1 < groups.size(); ++i)
      if (cost(i) < cost(cheapest)) cheapest = i;
    Group& a = groups[cheapest];
    const Group& b = groups[cheapest + 1];
    a.mean = (a.mean * a.count + b.mean * b.count) / (a.count + b.count);
    a.count += b.count;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(cheapest) + 1);
  }
  return at_least(values, groups.back().first);
}

std::vector<bool> chosen_by(Rule rule, std::span<const double> values) {
  switch (rule) {
    case Rule::kSigma:
      return sigma_members(values);
    case Rule::kMeanShift:
      return mean_shift_members(values);
    case Rule::kWard:
      return ward_members(values);
    case Rule::kHuman:
      break;
  }
  throw Error{ErrorCode::kInternal, "people's judgements are no rule over correlations"};
}

}  // namespace

std::string_view letter_of(Rule rule) {
  for (const Letter& one : kLetters)
    if (one.rule == rule) return one.letter;
  return {};
}

Rule rule_of(std::string_view letter) {
  for (const Letter& one : kLetters)
    if (one.letter == letter) return one.rule;
  throw Error{ErrorCode::kUsage,
              fmt::format("'{}' is no rule of reference sets", letter),
              "--cluster-method",
              "choose S, M, G or H"};
}

Members members_of(Rule rule, std::span<const double> correlations, size_t given) {
  SNELLEN_CHECK(correlations.size() >= 3 && given < correlations.size());
  std::vector<double> others;
  for (size_t i = 0; i < correlations.size(); ++i)
    if (i != given) others.push_back(correlations[i]);
  Members members = chosen_by(rule, others);
  members.insert(members.begin() + static_cast<std::ptrdiff_t>(given), true);
  return members;
}

Members human_members(std::span<const double> relevance, size_t given) {
  SNELLEN_CHECK(given < relevance.size());
  Members members;
  for (double value : relevance) members.push_back(value > 0);
  members[given] = true;
  return members;
}

MeanShift mean_shift(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  MeanShift shift{.bandwidth = bandwidth_of(sorted), .centres = {}, .nearest = {}};
  if (shift.bandwidth <= 0) return shift;
  const std::vector<double> by_size = centres_of(sorted, shift.bandwidth);
  shift.centres = by_size;
  std::sort(shift.centres.begin(), shift.centres.end(), std::greater<>());
  for (double value : values) {
    // Ties go to the centre with more values.
    const double nearest =
        *std::min_element(by_size.begin(), by_size.end(), [&](double a, double b) {
          return std::abs(a - value) < std::abs(b - value);
        });
    shift.nearest.push_back(static_cast<size_t>(
        std::find(shift.centres.begin(), shift.centres.end(), nearest) - shift.centres.begin()));
  }
  return shift;
}

SetFigures figures_of(const Members& members, std::span<const double> correlations) {
  std::vector<double> inside;
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i]) inside.push_back(correlations[i]);
  return {.size = inside.size(), .mean = mean_of(inside), .sd = sample_sd(inside)};
}

}  // namespace snellen::builders::densevisdial
