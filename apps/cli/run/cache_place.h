// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace snellen::cli {

// Where this user's caches lie: XDG_CACHE_HOME, else ~/.cache; empty when there is no home.
std::filesystem::path user_cache();

// The file of the data registry: snellen/data.json in XDG_CONFIG_HOME, else in ~/.config; empty
// when there is no home.
std::filesystem::path data_registry_file();

// The folder of computed rows: the flag, else SNELLEN_CACHE, else the user's cache; empty for none
// (SNELLEN_CACHE=off).
std::filesystem::path row_cache_folder(const std::string& flag);

// Where Hugging Face's tools keep checkpoints: HF_HUB_CACHE, HF_HOME/hub, else huggingface/hub in
// XDG_CACHE_HOME or ~/.cache; empty when there is no home.
std::filesystem::path hub_cache();

// Variables of the environment that decide the bits of a computed row, one NAME=VALUE per line.
std::string numeric_variables();

}  // namespace snellen::cli
