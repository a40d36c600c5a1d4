// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/foil_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/python_json.h"

namespace snellen::metrics {
namespace {

constexpr double kFailedCaption = 0.001;
constexpr double kFailedFoil = 0.999;

enum class PartState { kScored, kMissing, kWrongLength, kNonFinite };

// One part after the length rule: the scores to compare and what is wrong with them.
struct SettledPart {
  PartState state = PartState::kScored;
  std::span<const double> scores;
  size_t num_foils = 0;
};

SettledPart settle(const FoilPartView& part, const FoilRules& rules) {
  if (!part.scores) return {PartState::kMissing, {}, part.num_foils};
  const std::span<const double> given = *part.scores;
  if (rules.is_compat) {
    if (given.empty()) return {PartState::kWrongLength, {}, part.num_foils};
    return {PartState::kScored, given, given.size() - 1};
  }
  const size_t wanted = part.num_foils + 1;
  const size_t kept = std::min(given.size(), wanted);
  const bool can_truncate = rules.length_mismatch == OnLengthMismatch::kTruncate && kept >= 2;
  if (given.size() != wanted && !can_truncate) return {PartState::kWrongLength, {}, part.num_foils};
  const std::span<const double> scores = given.first(kept);
  const bool is_finite =
      std::all_of(scores.begin(), scores.end(), [](double x) { return std::isfinite(x); });
  return {is_finite ? PartState::kScored : PartState::kNonFinite, scores, kept - 1};
}

void note(const SettledPart& part,
          std::string_view id,
          const FoilRules& rules,
          FoilProblems& problems) {
  auto add = [&](std::vector<std::string>& ids) {
    if (ids.empty() || ids.back() != id) ids.emplace_back(id);
  };
  if (part.state == PartState::kMissing &&
      (rules.is_compat || rules.missing == OnMissing::kError)) {
    add(problems.missing);
  } else if (part.state == PartState::kWrongLength) {
    add(problems.wrong_length);
  } else if (part.state == PartState::kNonFinite && rules.non_finite == OnNonFinite::kError) {
    add(problems.non_finite);
  }
}

// At most ten ids; a message is for people, the whole list is in FoilProblems.
std::string some_of(const std::vector<std::string>& ids) {
  constexpr size_t kShown = 10;
  const std::span<const std::string> shown = std::span(ids).first(std::min(ids.size(), kShown));
  const size_t rest = ids.size() - shown.size();
  return fmt::format(
      "{}{}", fmt::join(shown, ", "), rest == 0 ? "" : fmt::format(" and {} more", rest));
}

void refuse(const FoilProblems& problems) {
  if (!problems.missing.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("missing_items: {} evaluated items have no scores: {}",
                            problems.missing.size(),
                            some_of(problems.missing)),
                "results",
                "score them, or pass --missing skip or --missing wrong"};
  }
  if (!problems.wrong_length.empty()) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("length_mismatch: {} items have another number of scores than 1 + foils: {}",
                    problems.wrong_length.size(),
                    some_of(problems.wrong_length)),
        "results",
        "score the caption and every foil, or pass --length-mismatch truncate"};
  }
  if (!problems.non_finite.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("nonfinite_scores: {} items have NaN or infinite scores: {}",
                            problems.non_finite.size(),
                            some_of(problems.non_finite)),
                "results",
                "mend the model's output, or pass --nonfinite wrong"};
  }
}

FoilDecision decide(const SettledPart& part, const FoilRules& rules) {
  if (part.state != PartState::kScored) return {};
  return rules.is_compat ? decide_foil_compat(part.scores, rules.mode)
                         : decide_foil(part.scores, rules.mode, rules.ties);
}

bool is_lost(const FoilDecision& decision) {
  return decision.credit == 0.0 && !decision.is_tied;
}

// Rows of the flat list; owns those that are not as the file has them.
class FlatRows {
 public:
  void add(std::span<const double> scores) { rows_.push_back(scores); }
  void add(double caption, double foil, size_t num_foils) {
    std::vector<double>& made = made_.emplace_back(num_foils + 1, foil);
    made[0] = caption;
    rows_.push_back(made);
  }
  const ScoreRows& rows() const { return rows_; }
  std::vector<std::vector<double>> copied() const {
    std::vector<std::vector<double>> all;
    for (std::span<const double> row : rows_) all.emplace_back(row.begin(), row.end());
    return all;
  }

 private:
  ScoreRows rows_;
  std::deque<std::vector<double>> made_;
};

void finish(FoilReport& report) {
  if (report.rows.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("no items to score ({} skipped as missing)", report.num_skipped),
                "annotations",
                "check --filter and that results and annotations belong together"};
  }
  for (const FoilRow& row : report.rows) {
    report.num_correct += row.credit;
    report.num_ties += row.is_tied ? 1 : 0;
  }
  report.acc_r = report.num_correct / static_cast<double>(report.rows.size());
}

void add_default_probability(const FlatRows& flat, FoilReport& report) {
  if (auto place = find_out_of_range(flat.rows())) {
    report.reason =
        fmt::format("score_out_of_range: item {} has a score of {}, which is not in [0, 1]",
                    report.rows[place->row].id,
                    flat.rows()[place->row][place->column]);
    return;
  }
  report.probability = foil_probability(flat.rows());
}

FoilRow row_of(std::string_view id,
               std::string_view clip,
               const SettledPart& test,
               const FoilRules& rules) {
  FoilRow row;
  row.id = id;
  row.clip = clip;
  row.num_foils = test.num_foils;
  row.test = decide(test, rules);
  row.credit = row.test.credit;
  row.is_tied = row.test.is_tied;
  return row;
}

bool is_left_out(const SettledPart& part, const FoilRules& rules) {
  return part.state == PartState::kMissing && rules.missing == OnMissing::kSkip;
}

}  // namespace

FoilProblems find_foil_problems(std::span<const FoilItemView> items, const FoilRules& rules) {
  FoilProblems problems;
  for (const FoilItemView& item : items) note(settle(item.part, rules), item.id, rules, problems);
  return problems;
}

FoilProblems find_foil_problems(std::span<const FoilPairView> items, const FoilRules& rules) {
  FoilProblems problems;
  for (const FoilPairView& item : items) {
    note(settle(item.proficiency, rules), item.id, rules, problems);
    note(settle(item.test, rules), item.id, rules, problems);
  }
  return problems;
}

FoilReport evaluate_foils(std::span<const FoilItemView> items,
                          size_t longest_entry,
                          const FoilRules& rules) {
  refuse(find_foil_problems(items, rules));
  FoilReport report;
  FlatRows flat;
  for (const FoilItemView& item : items) {
    const SettledPart part = settle(item.part, rules);
    if (is_left_out(part, rules)) {
      ++report.num_skipped;
      continue;
    }
    report.rows.push_back(row_of(item.id, item.clip, part, rules));
    if (part.state == PartState::kScored) {
      flat.add(part.scores);
    } else {
      flat.add(0.0, 1.0, part.num_foils);
      ++report.num_made_wrong;
    }
  }
  finish(report);
  if (rules.is_compat) {
    report.acc_r = static_cast<float>(report.num_correct) / static_cast<float>(report.rows.size());
  }
  if (rules.mode != FoilMode::kProbability) return report;
  report.texts = flat.copied();
  if (rules.is_compat) {
    report.probability = foil_probability_compat(flat.rows(), longest_entry);
  } else {
    add_default_probability(flat, report);
  }
  return report;
}

FoilReport evaluate_foil_pairs(std::span<const FoilPairView> items, const FoilRules& rules) {
  refuse(find_foil_problems(items, rules));
  FoilReport report;
  report.is_pair = true;
  FlatRows flat;
  for (const FoilPairView& item : items) {
    const SettledPart proficiency = settle(item.proficiency, rules);
    const SettledPart test = settle(item.test, rules);
    if (is_left_out(proficiency, rules) || is_left_out(test, rules)) {
      ++report.num_skipped;
      continue;
    }
    const bool is_scored =
        proficiency.state == PartState::kScored && test.state == PartState::kScored;
    report.num_made_wrong += is_scored ? 0 : 1;
    FoilRow row = row_of(item.id, item.clip, test, rules);
    row.num_prof_foils = proficiency.num_foils;
    row.proficiency = decide(proficiency, rules);
    row.credit = row.test.credit * row.proficiency->credit;
    row.is_tied = (row.test.is_tied || row.proficiency->is_tied) && !is_lost(row.test) &&
                  !is_lost(*row.proficiency);
    if (row.proficiency->credit < 1.0) {
      flat.add(kFailedCaption, kFailedFoil, test.num_foils);
    } else if (test.state == PartState::kScored) {
      flat.add(test.scores);
    } else {
      flat.add(0.0, 1.0, test.num_foils);
    }
    report.rows.push_back(std::move(row));
  }
  finish(report);
  if (rules.mode != FoilMode::kProbability) return report;
  report.texts = flat.copied();
  if (rules.is_compat) {
    report.probability = foil_probability_multi_compat(flat.rows());
  } else {
    add_default_probability(flat, report);
  }
  return report;
}

double rounded_percent(double fraction) {
  const std::string digits = fmt::format("{:.2f}", 100.0 * fraction);
  double rounded = 0.0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return rounded;
}

std::vector<std::string> compat_lines(const FoilReport& report) {
  const std::string count = std::to_string(report.rows.size());
  const std::string acc_r = fmt::format("acc_r={}%", python_float(rounded_percent(report.acc_r)));
  const bool has_count = !report.is_pair || report.probability;
  std::vector<std::string> lines = {acc_r};
  if (has_count) lines.insert(report.is_pair ? lines.end() : lines.begin(), count);
  if (!report.probability) return lines;
  const double p_c = rounded_percent(report.probability->p_c);
  const double p_f = rounded_percent(report.probability->p_f);
  lines.push_back(fmt::format("p_c={}%", python_float(p_c)));
  lines.push_back(fmt::format("p_f={}%", python_float(p_f)));
  lines.push_back(fmt::format("min(p_c, p_f)={}%", python_float(std::min(p_c, p_f))));
  lines.push_back(fmt::format("acc={}%", python_float(rounded_percent(report.probability->acc))));
  lines.push_back(fmt::format(
      "auroc={}", python_float(rounded_percent(report.probability->auroc.value_or(0.0)))));
  return lines;
}

}  // namespace snellen::metrics
