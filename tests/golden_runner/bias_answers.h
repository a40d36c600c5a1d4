// SPDX-License-Identifier: Apache-2.0
// Golden checks of VADER, the answer parsers and what is counted from answers.
#pragma once

#include <filesystem>
#include <optional>

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// The user's tables of VADER, or nothing (and a skip) where they are not at hand.
struct VaderFiles {
  std::filesystem::path lexicon;
  std::filesystem::path emoji;
};
std::optional<VaderFiles> find_vader(const Context& context, Tally& tally);

void check_vader(const Context& context, Tally& tally);
void check_parse(const Context& context, Tally& tally);
void check_close_prompts(const Context& context, Tally& tally);
void check_close_aggregate(const Context& context, Tally& tally);
void check_open_aggregate(const Context& context, Tally& tally);
void check_control_ladder(const Context& context, Tally& tally);

}  // namespace snellen::golden
