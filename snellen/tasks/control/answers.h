// SPDX-License-Identifier: Apache-2.0
// The answers of a control run, read into ladders: one question over all levels of noise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/table_file.h"
#include "snellen/config/options.h"
#include "snellen/metrics/control/ladder_items.h"
#include "snellen/tasks/bias/answer_file.h"

namespace snellen::tasks::control {

struct Levels {
  std::vector<std::string> names;  // clean first
  std::vector<double> sigmas;      // one per level; 0 for clean and for levels that have none
};

// The sigma a level's name says: clean 0, e3 1000, s250 and gauss:250 250; nothing for other names.
std::optional<double> sigma_of_level(const std::string& name);
// --levels and --sigmas as far as they were given; throws kUsage when they do not fit together.
std::optional<Levels> levels_from_flags(std::vector<std::string> names,
                                        const std::vector<std::string>& sigmas);

struct Ladder {
  metrics::LadderItem item;
  std::vector<bool> is_asked;  // per level: answered for this very ladder, not borrowed or padded
};

// One position of the task: a ladder, or why there is none.
struct LadderSlot {
  std::string id;
  std::optional<Ladder> ladder;
  std::optional<Error> error;
};

struct ControlAnswers {
  Levels levels;
  std::vector<LadderSlot> slots;
};

struct ReadOptions {
  text::AnswerRule rule = text::AnswerRule::kDefault;
  bool is_rule_asked = false;  // parse again even where the file says what was parsed
  bool stops_early = false;    // levels after a last C were not asked and count as C
};

// Rows are single answers (docs/spec/bias.md 3.5) or whole ladders ("answers": "AACC"), told apart
// by the first. Throws kInvalidInput when no ladder can be made of them at all.
ControlAnswers read_control_answers(const annotations::TableFile& file,
                                    const std::optional<QuestionFile>& questions,
                                    const std::optional<Levels>& asked_levels,
                                    const ReadOptions& options);

}  // namespace snellen::tasks::control
