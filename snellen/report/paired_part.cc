// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/paired_part.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "snellen/report/stored_run.h"

namespace snellen::report {
namespace {

using store::Sample;
using store::SampleStatus;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kTieBits = 64;

Error bad_sample(const PartSource& source, const Sample& sample, const std::string& what) {
  return Error{ErrorCode::kInvalidInput,
               what,
               fmt::format("{}/samples.db: {} {}",
                           source.folder,
                           fit_text(source.record.name),
                           fit_text(sample.item)),
               "the folder was changed after the run; see snellen verify, or run again"};
}

bool is_tied(const Sample& sample, size_t place) {
  return place < kTieBits && (sample.ties >> place & 1U) != 0;
}

double as_number(const std::optional<bool>& is_right) {
  return is_right ? (*is_right ? 1.0 : 0.0) : kUndefined;
}

std::optional<bool> as_decision(double number) {
  if (std::isnan(number)) return std::nullopt;
  return number == 1.0;
}

class Joiner {
 public:
  Joiner(const PartSource& first,
         const PartSource& second,
         DistinctIds& cluster_names,
         size_t max_disagreements)
      : first_(first),
        second_(second),
        cluster_names_(cluster_names),
        max_disagreements_(max_disagreements) {
    const auto& theirs = second.record.columns;
    for (size_t place = 0; place < first.record.columns.size(); ++place) {
      const store::TaskRecord::Column& mine = first.record.columns[place];
      auto same = std::find_if(theirs.begin(), theirs.end(), [&](const auto& column) {
        return column.name == mine.name && column.is_share == mine.is_share;
      });
      if (same == theirs.end()) continue;
      part_.columns.push_back({.name = mine.name,
                               .is_share = mine.is_share,
                               .higher_is_better = mine.higher_is_better});
      first_places_.push_back(place);
      second_places_.push_back(static_cast<size_t>(same - theirs.begin()));
    }
    part_.columns.push_back({.name = "", .is_share = true});
  }

  PairedPart join() {
    first_.samples.for_each(
        first_.task, first_.part, [&](const Sample& sample) { take_first(sample); });
    is_common_.resize(index_.size());
    second_.samples.for_each(
        second_.task, second_.part, [&](const Sample& sample) { take_second(sample); });
    keep_common();
    std::sort(part_.disagreements.begin(), part_.disagreements.end(), is_further);
    return std::move(part_);
  }

 private:
  size_t num_columns() const { return part_.columns.size(); }

  static bool is_further(const Disagreement& a, const Disagreement& b) {
    double apart_a = std::abs(a.second_margin - a.first_margin);
    double apart_b = std::abs(b.second_margin - b.first_margin);
    return apart_a != apart_b ? apart_a > apart_b : a.order < b.order;
  }

  // The sample's value in a column of the pair; `places` are its run's.
  double value_of(const PartSource& source,
                  const Sample& sample,
                  size_t column,
                  const std::vector<size_t>& places) const {
    if (column == places.size()) return as_number(sample.is_correct);
    double value = sample.values[places[column]];
    if (part_.columns[column].is_share && std::isfinite(value) && value != 0.0 && value != 1.0) {
      throw bad_sample(source,
                       sample,
                       fmt::format("has {} in the share column '{}', expected 0 or 1",
                                   value,
                                   fit_text(part_.columns[column].name)));
    }
    return value;
  }

  static bool is_scored(const PartSource& source,
                        const Sample& sample,
                        uint64_t& scored,
                        uint64_t& unscored) {
    if (sample.status != SampleStatus::kScored) {
      ++unscored;
      return false;
    }
    ++scored;
    if (sample.values.size() != source.record.columns.size()) {
      throw bad_sample(
          source,
          sample,
          fmt::format(
              "holds {} values, expected {}", sample.values.size(), source.record.columns.size()));
    }
    return true;
  }

  static bool is_left_out(const PartSource& source, const Sample& sample) {
    return source.left_out && source.left_out->contains(source.record.name, sample.item);
  }

  void take_first(const Sample& sample) {
    if (is_left_out(first_, sample)) {
      ++part_.num_left_out;
      return;
    }
    if (!is_scored(first_, sample, part_.first_scored, part_.first_unscored)) return;
    if (!index_.add(sample.item).is_new) throw bad_sample(first_, sample, "this id comes twice");
    for (size_t column = 0; column < num_columns(); ++column)
      part_.differences.push_back(value_of(first_, sample, column, first_places_));
    part_.clusters.push_back(clusters_of(sample, cluster_names_));
    margins_.push_back(sample.margin);
    ties_.push_back(sample.ties);
  }

  void take_second(const Sample& sample) {
    if (is_left_out(second_, sample)) return;
    if (!is_scored(second_, sample, part_.second_scored, part_.second_unscored)) return;
    const uint32_t slot = index_.find(sample.item);
    if (slot == DistinctIds::kAbsent) return;
    if (is_common_[slot]) throw bad_sample(second_, sample, "this id comes twice");
    is_common_[slot] = true;
    double* row = part_.differences.data() + size_t{slot} * num_columns();
    note_disagreement(sample, slot, row[num_columns() - 1]);
    Sample of_first;
    of_first.ties = ties_[slot];
    for (size_t column = 0; column < num_columns(); ++column) {
      double value = value_of(second_, sample, column, second_places_);
      bool is_decision = column == first_places_.size();
      row[column] = add_pair(part_.columns[column],
                             row[column],
                             value,
                             !is_decision && is_tied(of_first, first_places_[column]),
                             !is_decision && is_tied(sample, second_places_[column]));
    }
  }

  // Returns the difference.
  static double add_pair(
      PairedColumn& column, double first, double second, bool first_tied, bool second_tied) {
    if (!std::isfinite(first) || !std::isfinite(second)) {
      ++column.num_undefined;
      return kUndefined;
    }
    ++column.n;
    column.first_sum.add(first);
    column.second_sum.add(second);
    column.first_ties += first_tied ? 1 : 0;
    column.second_ties += second_tied ? 1 : 0;
    if (column.is_share) {
      bool first_right = first == 1.0;
      bool second_right = second == 1.0;
      PairedCounts& counts = column.counts;
      ++(first_right ? (second_right ? counts.both_right : counts.only_first)
                     : (second_right ? counts.only_second : counts.both_wrong));
    }
    return second - first;
  }

  void note_disagreement(const Sample& sample, uint32_t slot, double first_decision) {
    double apart = std::abs(sample.margin - margins_[slot]);
    if (max_disagreements_ == 0 || !std::isfinite(apart) || apart == 0.0) return;
    std::vector<Disagreement>& heap = part_.disagreements;  // the least of the kept on top
    Disagreement candidate{.item = {},
                           .order = slot,
                           .first_margin = margins_[slot],
                           .second_margin = sample.margin,
                           .first_right = as_decision(first_decision),
                           .second_right = sample.is_correct};
    if (heap.size() == max_disagreements_) {
      if (!is_further(candidate, heap.front())) return;
      std::pop_heap(heap.begin(), heap.end(), is_further);
      heap.pop_back();
    }
    candidate.item = sample.item;
    heap.push_back(std::move(candidate));
    std::push_heap(heap.begin(), heap.end(), is_further);
  }

  void keep_common() {
    size_t kept = 0;
    for (size_t slot = 0; slot < is_common_.size(); ++slot) {
      if (!is_common_[slot]) continue;
      part_.clusters[kept] = part_.clusters[slot];
      auto row = part_.differences.begin() + static_cast<std::ptrdiff_t>(slot * num_columns());
      std::copy_n(row,
                  num_columns(),
                  part_.differences.begin() + static_cast<std::ptrdiff_t>(kept * num_columns()));
      ++kept;
    }
    part_.clusters.resize(kept);
    part_.differences.resize(kept * num_columns());
  }

  const PartSource& first_;
  const PartSource& second_;
  DistinctIds& cluster_names_;
  size_t max_disagreements_;
  std::vector<size_t> first_places_;  // of the shared columns
  std::vector<size_t> second_places_;
  PairedPart part_;  // differences hold the first run's values until the second's come
  DistinctIds index_;
  std::vector<double> margins_;
  std::vector<uint64_t> ties_;
  std::vector<bool> is_common_;
};

}  // namespace

stats::UnitClusters clusters_of(const Sample& sample, DistinctIds& cluster_names) {
  // No cluster: named so that no picture's id is the same.
  if (sample.clusters.empty())
    return {cluster_names.add("\x1f" + sample.item).id, stats::kNoCluster};
  const uint32_t first = cluster_names.add(sample.clusters[0]).id;
  const uint32_t second =
      sample.clusters.size() < 2 ? first : cluster_names.add(sample.clusters[1]).id;
  return {first, second == first ? stats::kNoCluster : second};
}

PairedPart join_part(const PartSource& first,
                     const PartSource& second,
                     DistinctIds& cluster_names,
                     size_t max_disagreements) {
  return Joiner(first, second, cluster_names, max_disagreements).join();
}

}  // namespace snellen::report
