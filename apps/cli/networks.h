// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "apps/cli/verb.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network_module.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::cli {

// Where the module with the networks lies: beside the program, or in lib beside its folder.
std::filesystem::path network_module_file(const Context& context);

// Flags of every verb that loads a checkpoint folder.
struct NetworkFlags {
  std::string model;
  std::string layout = "auto";
  std::string device = "cpu";
  std::string dtype = "auto";
  std::string quick_gelu = "auto";
};
void add_network_flags(CLI::App& verb, NetworkFlags& flags);

models::Layout layout_of(const NetworkFlags& flags);
// `auto` is float32 on the CPU and bfloat16 on a GPU.
models::NetworkOptions network_options(const NetworkFlags& flags);

// The tokenizer of a folder; open_clip's bundled vocabulary comes from the data folder.
std::unique_ptr<const text::Tokenizer> open_tokenizer(
    const Context& context,
    const std::filesystem::path& folder,
    models::Layout layout = models::Layout::kAuto);

}  // namespace snellen::cli
