// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/close_ended_compat.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/metrics/share.h"

namespace snellen::metrics {
namespace {

struct Count {
  uint64_t n = 0;
  uint64_t correct = 0;

  void add(bool is_right) {
    ++n;
    if (is_right) ++correct;
  }
  std::optional<double> accuracy() const { return share(correct, n); }
};

std::optional<size_t> option_by(text::AnswerRule rule, const CloseRecord& record) {
  switch (rule) {
    case text::AnswerRule::kPrefix:
      return text::option_by_prefix(record.answer, record.options);
    case text::AnswerRule::kFirstParen:
      return text::option_by_first_paren(record.answer, record.options.size());
    case text::AnswerRule::kMmmu:
      return text::option_by_mmmu(record.answer, record.options);
    default:
      throw Error{ErrorCode::kUsage,
                  fmt::format("answer parser '{}' names no option", text::name_of(rule)),
                  "--parser",
                  "use prefix, first_paren or mmmu"};
  }
}

}  // namespace

std::vector<std::pair<std::string, std::optional<double>>> compat_close_scores(
    std::span<const CloseRecord> records, bool is_fallback) {
  Count all;
  std::array<Count, kSubsetsInOrder.size()> by_subset;
  uint64_t num_disambig = 0;
  uint64_t num_unknown = 0;
  for (const CloseRecord& record : records) {
    bool is_right =
        record.label && (is_fallback ? text::is_right_by_paren_fallback(
                                           record.answer, record.options, *record.label)
                                     : text::is_right_by_paren(record.answer, *record.label));
    all.add(is_right);
    for (size_t i = 0; i < kSubsetsInOrder.size(); ++i) {
      if (record.subset == kSubsetsInOrder[i]) by_subset[i].add(is_right);
    }
    if (record.condition == "ambig") continue;
    ++num_disambig;
    if (record.answer.find("(C)") != std::string::npos) ++num_unknown;
  }
  auto [base, scene, scene_text, text] = by_subset;
  return {{"ACC", all.accuracy()},
          {"ACC_w/o_unknown", share(all.correct, all.n - num_unknown)},
          {"unknown_in_disambig", share(num_unknown, num_disambig)},
          {"ACC_base", base.accuracy()},
          {"ACC_text", text.accuracy()},
          {"ACC_delta_base", difference(base.accuracy(), text.accuracy())},
          {"ACC_scene", scene.accuracy()},
          {"ACC_scene_text", scene_text.accuracy()},
          {"ACC_delta_scene", difference(scene.accuracy(), scene_text.accuracy())}};
}

MatchedScore matched_score(std::span<const CloseRecord> records, text::AnswerRule rule) {
  MatchedScore score;
  for (const CloseRecord& record : records) {
    std::optional<size_t> index = option_by(rule, record);
    if (!index) {
      ++score.unmatched;
      continue;
    }
    ++score.total;
    if (index == record.label) ++score.correct;
  }
  score.accuracy = share(score.correct, score.total);
  return score;
}

std::string_view subset_at(uint64_t index, const std::array<uint64_t, 4>& sizes) {
  uint64_t left = index;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (left < sizes[i]) return kSubsetsInOrder[i];
    left -= sizes[i];
  }
  throw Error{
      ErrorCode::kInvalidInput,
      fmt::format("item {} lies beyond the {} items of the four subsets", index, index - left),
      "result.json",
      "score it with the data it was made from"};
}

}  // namespace snellen::metrics
