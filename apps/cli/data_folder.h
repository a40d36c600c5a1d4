// SPDX-License-Identifier: Apache-2.0
// Language data of others (VADER's lexicon, METEOR's tables) are never part of the program; they
// lie in a data folder that `./dev setup` fills.
#pragma once

#include <filesystem>
#include <vector>

#include "apps/cli/verb.h"

namespace snellen::cli {

// Where data are looked for, first place first: SNELLEN_DATA, share/snellen/data beside the program
// and one folder up, and data beside a build folder.
std::vector<std::filesystem::path> data_folders(const Context& context);

// The first place that holds `relative`, e.g. "vader/vader_lexicon.txt"; empty when none does.
std::filesystem::path find_data_or_none(const Context& context,
                                        const std::filesystem::path& relative);
// Throws kNotFound naming the command that brings it.
std::filesystem::path find_data(const Context& context, const std::filesystem::path& relative);

}  // namespace snellen::cli
