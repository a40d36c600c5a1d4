// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "apps/cli/verb.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network_module.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::cli {

// Whether this build has the module with the networks: it lies beside the program, or in lib beside
// its folder.
bool has_network_module(const Context& context);
// Opens it; throws kNotFound when it is not there. On a processor that does not run the tile
// products it announces, oneDNN is told to leave them (ONEDNN_MAX_CPU_ISA, unless it is set).
models::NetworkModule open_network_module(const Context& context);
// Its file, for who opens it later; throws and prepares as above.
std::filesystem::path prepared_network_module(const Context& context);

// Flags of every verb that loads a checkpoint folder.
struct NetworkFlags {
  std::string model;
  std::string layout = "auto";
  std::string device = "cpu";
  std::string dtype = "fp32";
  std::string quick_gelu = "auto";
};
void add_network_flags(CLI::App& verb, NetworkFlags& flags);

models::Layout layout_of(const NetworkFlags& flags);
// `auto` is bfloat16 on a GPU and on a CPU whose tile unit runs it, else float32.
models::NetworkOptions network_options(const NetworkFlags& flags);

// open_clip's bundled vocabulary in the data folder; empty when it is not there.
std::filesystem::path clip_vocabulary(const Context& context);
// The tokenizer of a folder, of the family its files name unless one is given. open_clip's bundled
// vocabulary comes from the data folder where the folder has none.
std::unique_ptr<const text::Tokenizer> open_tokenizer(
    const Context& context,
    const std::filesystem::path& folder,
    std::optional<text::TokenizerFamily> family = {});

}  // namespace snellen::cli
