// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "apps/cli/verb.h"
#include "snellen/inference/session.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network_module.h"
#include "snellen/run/catalogue.h"

namespace snellen::cli {

// Where this program finds what checkpoint folders need: the module with the networks beside the
// program, or in lib beside its folder; data; caches.
inference::Installation installation_of(const Context& context);

inline bool has_network_module(const Context& context) {
  return !context.catalogue.installation.module.empty();
}
inline models::NetworkModule open_network_module(const Context& context) {
  return inference::open_module(context.catalogue.installation);
}
// The folder that a model flag names.
inline std::filesystem::path model_folder(const Context& context, const std::string& word) {
  return inference::folder_of_model(context.catalogue.installation, word);
}
inline std::unique_ptr<const text::Tokenizer> open_tokenizer(
    const Context& context,
    const std::filesystem::path& folder,
    std::optional<text::TokenizerFamily> family = {}) {
  return inference::open_tokenizer(
      context.catalogue.installation, model_folder(context, folder.string()), family);
}

// Flags of every verb that loads a checkpoint folder.
using NetworkFlags = inference::NetworkChoice;
std::vector<config::Option> network_flag_options();

}  // namespace snellen::cli
