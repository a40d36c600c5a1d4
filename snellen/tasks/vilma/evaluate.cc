// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/evaluate.h"

#include <algorithm>

namespace snellen::tasks::vilma {
namespace {

using annotations::VilmaDefect;
using annotations::VilmaItem;
using annotations::VilmaResults;

EvaluatedItem slim(const VilmaItem& item, size_t file) {
  return {.id = item.id,
          .clip = item.video(),
          .num_foils = item.main.foils.size(),
          .num_prof_foils = item.proficiency ? item.proficiency->foils.size() : 1,
          .file = file};
}

bool has_lengths(const EvaluatedItems& evaluated,
                 const VilmaResults& results,
                 size_t EvaluatedItem::*num_foils) {
  return std::all_of(
      evaluated.items.begin(), evaluated.items.end(), [&](const EvaluatedItem& item) {
        const auto scores = results.find(item.id);
        return !scores || scores->size() == item.*num_foils + 1;
      });
}

ScoredTexts settled(ScoredTexts texts,
                    const EvaluatedItems& evaluated,
                    const VilmaResults& results) {
  if (texts != ScoredTexts::kAuto) return texts;
  const bool is_proficiency = !has_lengths(evaluated, results, &EvaluatedItem::num_foils) &&
                              has_lengths(evaluated, results, &EvaluatedItem::num_prof_foils);
  return is_proficiency ? ScoredTexts::kProficiency : ScoredTexts::kMain;
}

std::vector<metrics::FoilItemView> views_of(const EvaluatedItems& evaluated,
                                            const VilmaResults& results,
                                            ScoredTexts texts) {
  std::vector<metrics::FoilItemView> views;
  views.reserve(evaluated.items.size());
  for (const EvaluatedItem& item : evaluated.items) {
    const size_t num_foils =
        texts == ScoredTexts::kProficiency ? item.num_prof_foils : item.num_foils;
    views.push_back({item.id, item.clip, {num_foils, results.find(item.id)}});
  }
  return views;
}

}  // namespace

EvaluatedItems read_evaluated_items(Paths annotation_files, const Selection& selection) {
  const annotations::VilmaAnnotations all(annotation_files);
  EvaluatedItems evaluated;
  evaluated.num_annotated = all.size();
  evaluated.places.resize(annotation_files.size());
  std::vector<bool> is_placed(annotation_files.size(), false);
  for (size_t i = 0; i < all.size(); ++i) {
    const VilmaItem item = all.item(i).value();
    if (const size_t file = all.file(i); !is_placed[file]) {
      is_placed[file] = true;
      if (auto place = annotations::vilma_place_of(annotation_files[file], item)) {
        evaluated.places[file] = *place;
      }
    }
    evaluated.num_main_valid += item.main_votes && *item.main_votes >= 2.0 ? 1 : 0;
    evaluated.num_prof_valid += item.prof_votes && *item.prof_votes == 1.0 ? 1 : 0;
    const auto passes = annotations::is_evaluated(item, selection.filter);
    if (!passes) throw passes.error().within(all.where(i));
    if (!*passes) {
      evaluated.left_out.push_back(item.id);
      continue;
    }
    const bool is_degenerate = annotations::defect_of(item) != VilmaDefect::kNone;
    if (is_degenerate) evaluated.degenerate.push_back(item.id);
    if (!is_degenerate || !selection.drop_degenerate) {
      evaluated.items.push_back(slim(item, all.file(i)));
    } else {
      evaluated.left_out.push_back(item.id);
    }
  }
  return evaluated;
}

Evaluation evaluate_file(const EvaluatedItems& evaluated,
                         const VilmaResults& results,
                         ScoredTexts texts,
                         const metrics::FoilRules& rules) {
  const ScoredTexts taken = settled(texts, evaluated, results);
  return {.report = metrics::evaluate_foils(
              views_of(evaluated, results, taken), results.longest_entry(), rules),
          .texts = taken,
          .num_non_finite_entries = results.num_non_finite(),
          .degenerate = evaluated.degenerate};
}

metrics::FoilProblems file_problems(const EvaluatedItems& evaluated,
                                    const VilmaResults& results,
                                    ScoredTexts texts,
                                    const metrics::FoilRules& rules) {
  return metrics::find_foil_problems(
      views_of(evaluated, results, settled(texts, evaluated, results)), rules);
}

Evaluation evaluate_pair(const EvaluatedItems& evaluated,
                         const VilmaResults& proficiency,
                         const VilmaResults& main,
                         const metrics::FoilRules& rules) {
  std::vector<metrics::FoilPairView> views;
  views.reserve(evaluated.items.size());
  for (const EvaluatedItem& item : evaluated.items) {
    views.push_back({item.id,
                     item.clip,
                     {item.num_prof_foils, proficiency.find(item.id)},
                     {item.num_foils, main.find(item.id)}});
  }
  return {.report = metrics::evaluate_foil_pairs(views, rules),
          .texts = ScoredTexts::kMain,
          .num_non_finite_entries = proficiency.num_non_finite() + main.num_non_finite(),
          .degenerate = evaluated.degenerate};
}

VilmaResults read_results(const std::filesystem::path& path, bool is_compat) {
  return VilmaResults(
      path, is_compat ? annotations::OnDuplicate::kLast : annotations::OnDuplicate::kError);
}

}  // namespace snellen::tasks::vilma
