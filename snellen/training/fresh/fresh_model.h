// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json.hpp>

namespace snellen::training {

// The architectures that can be trained from nothing: "clip", "blip", "xclip", "gpt2".
bool is_trainable(std::string_view arch);

// config.json of the small model of this kind that is trained on the eyechart (about 2 M weights).
nlohmann::ordered_json small_config(std::string_view arch);

// Writes config.json, tokenizer files and preprocessor_config.json of a model that has no weights
// yet: the tokenizer is learnt from the eyechart's texts, and vocabulary size and special ids in
// `config` are set to fit it. Throws kInvalidInput for a config of another architecture.
void write_fresh_model(std::string_view arch,
                       nlohmann::ordered_json config,
                       const std::filesystem::path& folder);

}  // namespace snellen::training
