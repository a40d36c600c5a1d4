// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "snellen/run/ending/ending.h"

namespace snellen::run {

// answers.jsonl of the tasks that ask for answers: one line for each question with what was said,
// or why nothing was (docs/served.md). Made from samples.db. Its path in the run folder; nothing
// where no task asks for any.
std::optional<std::filesystem::path> write_answers(const Ending& ending, store::Samples& samples);

}  // namespace snellen::run
