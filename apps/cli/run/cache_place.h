// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace snellen::cli {

// Where this user's caches lie: XDG_CACHE_HOME, else ~/.cache; empty when there is no home.
std::filesystem::path user_cache();

// The folder of computed rows: the flag, else SNELLEN_CACHE, else the user's cache; empty for none
// (SNELLEN_CACHE=off).
std::filesystem::path row_cache_folder(const std::string& flag);

// Everything besides model and input that decides the bits of a computed row: the program and the
// libraries that are loaded now (by size and time), the processor, and where `is_on_gpu` the cards.
// In words, one fact a line.
std::string machine_facts(bool is_on_gpu);

}  // namespace snellen::cli
