// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_ladder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/metrics/choice/share.h"
#include "snellen/stats/cluster_sums.h"

namespace snellen::metrics {
namespace {

constexpr std::string_view kLetters = "ABCRU";
constexpr std::array<std::string_view, kNumLadderKinds> kKindNames = {
    "flip", "flip_unstable", "transient", "never", "already_c", "invalid_base"};

bool is_c(LadderAnswer answer) {
  return answer.answer == AnswerClass::kC;
}

void check_items(std::span<const LadderItem> items, std::span<const double> sigmas) {
  for (const LadderItem& item : items) {
    if (item.answers.size() == sigmas.size() && !sigmas.empty()) continue;
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("item has {} answers for {} levels", item.answers.size(), sigmas.size()),
        fmt::format("item {}", item.id),
        "ask all levels, or leave the item out"};
  }
}

// The four ways a determinate item can end.
enum class Ending : uint8_t { kReliance, kPersistence, kSwap, kOther };
constexpr size_t kNumEndings = 4;

Ending ending_of(const LadderItem& item) {
  LadderAnswer last = item.answers.back();
  if (is_c(last)) return Ending::kReliance;
  if (!last.is_determinate()) return Ending::kOther;
  return last == item.answers.front() ? Ending::kPersistence : Ending::kSwap;
}

bool meets_claim(const LadderItem& item, const LadderOptions& options) {
  AnswerClass last = item.answers.back().answer;
  return last == AnswerClass::kC || (options.counts_refusal_as_c && last == AnswerClass::kR);
}

LadderShare share_with_wilson(uint64_t count, uint64_t n, double confidence) {
  return {.value = share(count, n),
          .wilson = stats::wilson(count, n, confidence),
          .clustered = std::nullopt};
}

void add_flip(LadderSummary& summary,
              const LadderVerdict& verdict,
              std::span<const double> sigmas,
              const LadderOptions& options,
              double& sum_log10) {
  std::optional<size_t> level =
      options.flips_at_first_c ? verdict.flip_level_first : verdict.flip_level;
  if (!level) return;
  ++summary.flip_hist[*level];
  if (sigmas[*level] > 0) sum_log10 += std::log10(sigmas[*level]);
}

void finish_flips(LadderSummary& summary, std::span<const double> sigmas, double sum_log10) {
  uint64_t num_flips = 0;
  uint64_t num_with_sigma = 0;
  uint64_t sum_levels = 0;
  for (size_t level = 0; level < summary.flip_hist.size(); ++level) {
    num_flips += summary.flip_hist[level];
    sum_levels += level * summary.flip_hist[level];
    if (sigmas[level] > 0) num_with_sigma += summary.flip_hist[level];
  }
  summary.mean_flip_level = share(sum_levels, num_flips);
  if (num_with_sigma > 0)
    summary.mean_log10_sigma = sum_log10 / static_cast<double>(num_with_sigma);
}

std::vector<stats::MeanInterval> share_intervals(const stats::ClusterSums& sums,
                                                 const stats::BootstrapOptions& options) {
  return sums.mean_intervals(
      std::vector<stats::ValueKind>(sums.num_columns(), stats::ValueKind::kShare), options);
}

// Shares of all items: C per level, then the claim, then monotone.
void add_clustered_over_all(LadderSummary& summary,
                            std::span<const LadderItem> items,
                            const LadderOptions& options,
                            const stats::BootstrapOptions& bootstrap_options) {
  const size_t num_levels = summary.levels.size();
  stats::ClusterSums sums(num_levels + 2);
  for (const LadderItem& item : items) {
    size_t cluster = sums.unit(cluster_name(item.image, item.id));
    for (size_t level = 0; level < num_levels; ++level) {
      sums.add(cluster, level, is_c(item.answers[level]) ? 1 : 0);
    }
    sums.add(cluster, num_levels, meets_claim(item, options) ? 1 : 0);
    sums.add(cluster, num_levels + 1, classify_ladder(item.answers).has_reversal ? 0 : 1);
  }
  auto intervals = share_intervals(sums, bootstrap_options);
  for (size_t level = 0; level < num_levels; ++level)
    summary.levels[level].c_share.clustered = intervals[level].interval;
  summary.claim_fraction.clustered = intervals[num_levels].interval;
  summary.monotone.clustered = intervals[num_levels + 1].interval;
}

// Clusters are numbered among determinate items only: that order is part of the published interval.
void add_clustered_over_determinate(LadderSummary& summary,
                                    std::span<const LadderItem> items,
                                    const stats::BootstrapOptions& bootstrap_options) {
  stats::ClusterSums sums(kNumEndings);
  for (const LadderItem& item : items) {
    if (!item.answers.front().is_determinate()) continue;
    size_t cluster = sums.unit(cluster_name(item.image, item.id));
    auto ending = static_cast<size_t>(ending_of(item));
    for (size_t i = 0; i < kNumEndings; ++i) sums.add(cluster, i, i == ending ? 1 : 0);
  }
  if (sums.num_clusters() == 0) return;
  auto intervals = share_intervals(sums, bootstrap_options);
  summary.image_reliance.clustered = intervals[0].interval;
  summary.persistence.clustered = intervals[1].interval;
  summary.swap.clustered = intervals[2].interval;
  summary.refused_or_unparsed.clustered = intervals[3].interval;
}

void add_curve(LadderSummary& summary) {
  if (summary.n == 0) return;
  double first = *summary.levels.front().c_share.value;
  double last = *summary.levels.back().c_share.value;
  if (first < 1) summary.normalized_gain = (last - first) / (1 - first);
  if (summary.levels.size() < 2) return;
  double area = 0;
  for (size_t i = 1; i < summary.levels.size(); ++i) {
    area += (*summary.levels[i - 1].c_share.value + *summary.levels[i].c_share.value) / 2;
  }
  summary.auc_c = area / static_cast<double>(summary.levels.size() - 1);
}

}  // namespace

char letter_of(AnswerClass answer) {
  return kLetters[static_cast<size_t>(answer)];
}

std::optional<AnswerClass> answer_class_of(char letter) {
  size_t at = kLetters.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<AnswerClass>(at);
}

std::string_view name_of(LadderKind kind) {
  return kKindNames[static_cast<size_t>(kind)];
}

LadderAnswer ladder_answer(const text::ParsedAnswer& parsed, std::optional<size_t> unknown) {
  if (parsed.status == text::AnswerStatus::kRefusal) return {.answer = AnswerClass::kR};
  if (!parsed.index) return {.answer = AnswerClass::kU};
  if (parsed.index == unknown) return {.answer = AnswerClass::kC};
  size_t option = *parsed.index - (unknown && *unknown < *parsed.index ? 1 : 0);
  return {.answer = option == 0 ? AnswerClass::kA : AnswerClass::kB,
          .option = static_cast<uint8_t>(option)};
}

std::vector<LadderAnswer> ladder_answers(std::string_view letters) {
  std::vector<LadderAnswer> answers;
  for (char letter : letters) {
    std::optional<AnswerClass> answer = answer_class_of(letter);
    if (!answer) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("answer '{}' is none of A, B, C, R, U", letter),
                  fmt::format("answers \"{}\"", letters.substr(0, 80))};
    }
    answers.push_back(
        {.answer = *answer, .option = static_cast<uint8_t>(*answer == AnswerClass::kB ? 1 : 0)});
  }
  return answers;
}

LadderVerdict classify_ladder(std::span<const LadderAnswer> answers) {
  SNELLEN_CHECK(!answers.empty());
  LadderVerdict verdict;
  for (size_t level = 0; level < answers.size(); ++level) {
    if (is_c(answers[level])) {
      if (!verdict.first_c) verdict.first_c = level;
      if (!verdict.stable_c) verdict.stable_c = level;
    } else {
      verdict.stable_c.reset();
      if (verdict.first_c && answers[level].is_determinate()) verdict.has_reversal = true;
    }
  }
  if (is_c(answers.front())) {
    verdict.kind = LadderKind::kAlreadyC;
  } else if (!answers.front().is_determinate()) {
    verdict.kind = LadderKind::kInvalidBase;
  } else {
    verdict.flip_level_first = verdict.first_c;
    verdict.flip_level = verdict.stable_c;
    if (verdict.stable_c) {
      verdict.kind = verdict.has_reversal ? LadderKind::kFlipUnstable : LadderKind::kFlip;
    } else {
      verdict.kind = verdict.first_c ? LadderKind::kTransient : LadderKind::kNever;
    }
  }
  return verdict;
}

LadderSummary summarize_ladder(std::span<const LadderItem> items,
                               std::span<const double> sigmas,
                               const LadderOptions& options) {
  check_items(items, sigmas);
  LadderSummary summary;
  summary.name = "overall";
  summary.n = items.size();
  summary.levels.resize(sigmas.size());
  summary.flip_hist.resize(sigmas.size());
  uint64_t num_meeting = 0;
  uint64_t num_monotone = 0;
  std::array<uint64_t, kNumEndings> endings{};
  double sum_log10 = 0;
  for (const LadderItem& item : items) {
    for (size_t level = 0; level < sigmas.size(); ++level) {
      ++summary.levels[level].counts[static_cast<size_t>(item.answers[level].answer)];
    }
    LadderVerdict verdict = classify_ladder(item.answers);
    ++summary.kinds[static_cast<size_t>(verdict.kind)];
    add_flip(summary, verdict, sigmas, options, sum_log10);
    if (meets_claim(item, options)) ++num_meeting;
    if (!verdict.has_reversal) ++num_monotone;
    if (!item.answers.front().is_determinate()) continue;
    ++summary.n_determinate;
    ++endings[static_cast<size_t>(ending_of(item))];
  }
  auto counted = [&](uint64_t count, uint64_t n) {
    return share_with_wilson(count, n, options.confidence);
  };
  for (LadderLevel& level : summary.levels) {
    level.c_share = counted(level.counts[static_cast<size_t>(AnswerClass::kC)], summary.n);
  }
  if (summary.n > 0) summary.claim_holds = num_meeting == summary.n;
  summary.claim_fraction = counted(num_meeting, summary.n);
  summary.monotone = counted(num_monotone, summary.n);
  summary.image_reliance = counted(endings[0], summary.n_determinate);
  summary.persistence = counted(endings[1], summary.n_determinate);
  summary.swap = counted(endings[2], summary.n_determinate);
  summary.refused_or_unparsed = counted(endings[3], summary.n_determinate);
  add_curve(summary);
  finish_flips(summary, sigmas, sum_log10);
  if (options.bootstrap && summary.n > 0) {
    stats::BootstrapOptions asked = *options.bootstrap;
    asked.confidence = options.confidence;
    add_clustered_over_all(summary, items, options, asked);
    add_clustered_over_determinate(summary, items, asked);
  }
  return summary;
}

}  // namespace snellen::metrics
