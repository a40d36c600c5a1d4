// SPDX-License-Identifier: Apache-2.0
// The blind-image control (docs/spec/bias.md 1.6): the same question asked while the picture is
// destroyed step by step. Does the model at last say that it cannot know?
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/stats/bootstrap.h"
#include "snellen/stats/interval.h"
#include "snellen/text/answers/answer_parser.h"

namespace snellen::metrics {

// A and B are the determinate options, C the unknown one, R a refusal, U anything unparsable,
// ambiguous or empty.
enum class AnswerClass : uint8_t { kA, kB, kC, kR, kU };
constexpr size_t kNumAnswerClasses = 5;
char letter_of(AnswerClass answer);
// Nothing for a letter other than A, B, C, R, U.
std::optional<AnswerClass> answer_class_of(char letter);

// An answer at one level. Options beyond the second are of class B; `option` keeps them apart.
struct LadderAnswer {
  AnswerClass answer = AnswerClass::kU;
  uint8_t option = 0;  // the number of the determinate option, the unknown one left out

  bool is_determinate() const { return answer == AnswerClass::kA || answer == AnswerClass::kB; }
  bool operator==(const LadderAnswer&) const = default;
};

// By identity of the chosen option, never by its position: `parsed.index` is an index into the
// canonical options.
LadderAnswer ladder_answer(const text::ParsedAnswer& parsed, std::optional<size_t> unknown);
// "AACC" as the golden files write it. Throws kInvalidInput for another letter.
std::vector<LadderAnswer> ladder_answers(std::string_view letters);

// One question over all levels, clean first. Each replicate and each option order is an item of its
// own.
struct LadderItem {
  std::string id;
  std::string image;  // the cluster; empty: an item of its own
  std::string category;
  std::string condition;
  std::string subset;
  std::vector<LadderAnswer> answers = {};  // as many as there are levels
  int64_t replicate = 0;
  int64_t order = 0;
};

enum class LadderKind : uint8_t {
  kFlip,
  kFlipUnstable,
  kTransient,
  kNever,
  kAlreadyC,
  kInvalidBase
};
constexpr size_t kNumLadderKinds = 6;
// "flip", "flip_unstable", "transient", "never", "already_c", "invalid_base".
std::string_view name_of(LadderKind kind);

struct LadderVerdict {
  LadderKind kind = LadderKind::kNever;
  std::optional<size_t> first_c = std::nullopt;   // smallest level answered C
  std::optional<size_t> stable_c = std::nullopt;  // smallest level from which on all answers are C
  bool has_reversal = false;                      // some C is followed later by A or B
  std::optional<size_t> flip_level = std::nullopt;        // stable_c of the flip kinds
  std::optional<size_t> flip_level_first = std::nullopt;  // first_c when the clean answer is A or B
};

// Needs at least one answer.
LadderVerdict classify_ladder(std::span<const LadderAnswer> answers);

struct LadderOptions {
  bool flips_at_first_c = false;     // --flip first
  bool counts_refusal_as_c = false;  // --refusal-as-unknown; the claim only
  double confidence = 0.95;
  // Of intervals over images, none without it; 0 replicates: by formula.
  std::optional<stats::BootstrapOptions> bootstrap = std::nullopt;
};

struct LadderShare {
  std::optional<double> value = std::nullopt;
  std::optional<stats::Interval> wilson = std::nullopt;
  std::optional<stats::Interval> clustered = std::nullopt;  // by image
};

struct LadderLevel {
  std::array<uint64_t, kNumAnswerClasses> counts{};  // A, B, C, R, U
  LadderShare c_share = {};
};

struct LadderSummary {
  std::string name;
  uint64_t n = 0;
  std::vector<LadderLevel> levels = {};
  std::optional<bool> claim_holds =
      std::nullopt;  // the last answer is C for every item; nothing without items
  LadderShare claim_fraction = {};
  uint64_t n_determinate =
      0;  // items with A or B at clean; the next four are shares of them and add to 1
  LadderShare image_reliance = {};  // last answer C
  LadderShare persistence = {};     // last answer as at clean
  LadderShare swap = {};            // another determinate answer
  LadderShare refused_or_unparsed = {};
  std::optional<double> normalized_gain = std::nullopt;  // (c_m - c_0) / (1 - c_0)
  std::optional<double> auc_c = std::nullopt;            // nothing with one level
  LadderShare monotone = {};                             // items without a reversal
  std::vector<uint64_t> flip_hist = {};                  // items per flip level
  std::array<uint64_t, kNumLadderKinds> kinds{};
  std::optional<double> mean_flip_level = std::nullopt;
  std::optional<double> mean_log10_sigma =
      std::nullopt;  // of the flips, over levels with sigma > 0
};

// `sigmas`: one per level, 0 for clean. Throws kInvalidInput for an item with another number of
// answers.
LadderSummary summarize_ladder(std::span<const LadderItem> items,
                               std::span<const double> sigmas,
                               const LadderOptions& options = {});

}  // namespace snellen::metrics
