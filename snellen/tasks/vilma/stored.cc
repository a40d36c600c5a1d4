// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/stored.h"

#include <fmt/format.h>

namespace snellen::tasks::vilma {
namespace {

constexpr const char* kFoils = "foils";
constexpr const char* kProficiencyFoils = "prof_foils";
constexpr const char* kProficiency = "prof";
constexpr const char* kMain = "main";
constexpr const char* kMode = "mode";
constexpr const char* kEvaluated = "evaluated";
constexpr const char* kFrames = "frames";

std::optional<std::vector<double>> scores_in(const NamedValues& named, const char* name) {
  if (named.find(name) == nullptr) return std::nullopt;
  return named.get<std::vector<double>>(name);
}

}  // namespace

NamedValues named_values(const SourceItem& item) {
  SNELLEN_CHECK(item.decision);
  return named_values(StoredScores{.num_foils = item.decision->num_foils,
                                   .num_prof_foils = item.decision->num_prof_foils,
                                   .scores = item.scores});
}

NamedValues named_values(const StoredScores& stored) {
  NamedValues named;
  named.put(kFoils, static_cast<int64_t>(stored.num_foils));
  named.put(kProficiencyFoils, static_cast<int64_t>(stored.num_prof_foils));
  if (stored.scores.proficiency) named.put(kProficiency, *stored.scores.proficiency);
  if (stored.scores.main) named.put(kMain, *stored.scores.main);
  if (stored.mode) named.put(kMode, std::string(metrics::name_of(*stored.mode)));
  if (!stored.is_evaluated) named.put(kEvaluated, false);
  if (!stored.frames.empty()) named.put(kFrames, stored.frames);
  return named;
}

StoredScores stored_scores(const StoredItem& item) {
  const NamedValues& named = item.outcome.named;
  if (named.find(kFoils) == nullptr || named.find(kProficiencyFoils) == nullptr) {
    throw Error{ErrorCode::kInvalidInput,
                "holds no ViLMA scores",
                fmt::format("samples.db: vilma {}", item.id),
                "it was changed by another program; score again with --overwrite"};
  }
  StoredScores stored{.num_foils = static_cast<size_t>(named.get<int64_t>(kFoils)),
                      .num_prof_foils = static_cast<size_t>(named.get<int64_t>(kProficiencyFoils)),
                      .scores = {scores_in(named, kProficiency), scores_in(named, kMain)},
                      .is_evaluated = named.get<bool>(kEvaluated, true),
                      .frames = named.get<std::vector<int64_t>>(kFrames)};
  if (named.find(kMode) != nullptr)
    stored.mode = metrics::foil_mode_of(named.get<std::string>(kMode));
  return stored;
}

}  // namespace snellen::tasks::vilma
