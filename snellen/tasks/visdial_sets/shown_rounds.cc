// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_sets/shown_rounds.h"

namespace snellen::tasks::visdial_sets {

ShownRounds::ShownRounds(const std::filesystem::path& dialogs, const std::filesystem::path& images)
    : dialogs_(dialogs), images_(images) {
  for (size_t i = 0; i < dialogs_.num_dialogs(); ++i)
    dialog_of_.try_emplace(dialogs_.image_id(i), i);
}

bool ShownRounds::has(const annotations::DialogKey& key) const {
  const auto found = dialog_of_.find(key.image_id);
  if (found == dialog_of_.end() || key.round_id < 0) return false;
  const size_t round = dialogs_.first_round(found->second) + static_cast<size_t>(key.round_id);
  return round < dialogs_.first_round(found->second + 1) && dialogs_.round(round).has_candidates;
}

void ShownRounds::show(const annotations::DialogKey& key, Item& item) const {
  if (!has(key)) return;
  const size_t dialog = dialog_of_.at(key.image_id);
  const auto place = static_cast<size_t>(key.round_id);
  const annotations::DialogRound& round = dialogs_.round(dialogs_.first_round(dialog) + place);
  item.visuals = {images_.visual(dialogs_.image_name(dialog))};
  item.texts.push_back({std::string(dialogs_.questions()[round.question])});
  const std::vector<std::vector<uint32_t>> candidates = dialogs_.candidates(dialog);
  for (const uint32_t candidate : candidates[place])
    item.texts.push_back({std::string(dialogs_.answers()[candidate])});
}

}  // namespace snellen::tasks::visdial_sets
