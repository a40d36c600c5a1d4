// SPDX-License-Identifier: Apache-2.0
// An ask made of names: one visual and one text for every score.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "snellen/models/model.h"

namespace snellen::testing {

struct NamedPair {
  std::string visual;
  std::string text;
};

struct AskedBy {
  std::filesystem::path folder = "/pictures";  // of the visuals; one called "bad" lies nowhere
  uint32_t task = 0;
  std::string item = "item";
  uint32_t lane = 0;
};

class AskedPairs {
 public:
  explicit AskedPairs(const std::vector<NamedPair>& pairs, const AskedBy& by = {})
      : task_(by.task), lane_(by.lane), item_(by.item) {
    std::map<std::string, uint32_t> visuals, texts;
    std::vector<questions::Pair> asked;
    for (const NamedPair& pair : pairs) {
      const auto [visual, is_new] =
          visuals.emplace(pair.visual, static_cast<uint32_t>(visuals.size()));
      if (is_new) visuals_.push_back(visual_of(pair.visual, by.folder));
      const auto [text, is_new_text] =
          texts.emplace(pair.text, static_cast<uint32_t>(texts.size()));
      if (is_new_text) texts_.push_back({pair.text});
      asked.push_back({visual->second, text->second});
    }
    questions_ = questions::questions_about(asked);
  }

  models::Ask ask() const {
    return {.task = task_,
            .lane = lane_,
            .item = item_,
            .visuals = visuals_,
            .texts = &texts_,
            .questions = questions_};
  }
  // Alone: told, then asked.
  Result<questions::Scores> scored_by(models::Model& model) const {
    if (models::AskPlan* plan = model.plan()) plan->add(ask());
    model.begin({});
    return model.score(ask());
  }

 private:
  static questions::Visual visual_of(const std::string& name, const std::filesystem::path& folder) {
    if (name == "bad")
      return questions::unplaced(name, Error{ErrorCode::kInvalidInput, "no such place"});
    return {.name = name, .source = media::VisualPlace{.path = folder / name}};
  }

  uint32_t task_;
  uint32_t lane_;
  std::string item_;
  std::vector<questions::Visual> visuals_;
  questions::Texts texts_;
  std::vector<questions::Question> questions_;
};

}  // namespace snellen::testing
