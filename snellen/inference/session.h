// SPDX-License-Identifier: Apache-2.0
// Opens what a model flag names as a checkpoint folder: its network on the device that was chosen,
// tokenizer, processor, and the identity of every file that was opened on the way.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "snellen/inference/driver.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network_module.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::inference {

// What lies outside of the library; the program says where.
struct Installation {
  std::filesystem::path module = {};           // with the networks; empty where it is not built
  std::filesystem::path clip_vocabulary = {};  // for open_clip folders without one; may be empty
  std::filesystem::path cache = {};            // of rows, unless a run names another; empty: none
  // Variables of the environment that decide the bits of a row, one NAME=VALUE per line.
  std::string variables = {};
};

// A checkpoint folder, and how its network computes.
struct NetworkChoice {
  std::string model;            // the folder
  std::string layout = "auto";  // or hf, open_clip: whose files to read where it has both
  std::string device = "cpu";   // or cuda, cuda:N
  std::string dtype = "fp32";   // or bf16, fp16, auto
  std::string quick_gelu = "auto";
};
models::Layout layout_of(const NetworkChoice& choice);
// `auto` is bfloat16 on a GPU and on a CPU whose tile unit runs it, else float32. Throws kUsage.
models::NetworkOptions network_options(const NetworkChoice& choice);

// The file of the module, ready to be opened; throws kNotFound when it is not there. On a processor
// that does not run the tile products it announces, oneDNN is told to leave them
// (ONEDNN_MAX_CPU_ISA, unless it is set).
std::filesystem::path prepared_module(const Installation& installation);
models::NetworkModule open_module(const Installation& installation);

// The tokenizer of a folder, of the family its files name unless one is given; `opened` gets the
// files that were read.
std::unique_ptr<const text::Tokenizer> open_tokenizer(
    const Installation& installation,
    const std::filesystem::path& folder,
    std::optional<text::TokenizerFamily> family = {},
    std::vector<std::filesystem::path>* opened = nullptr);

// Throws what the folder's files are lacking.
OpenedNetwork open_network(const Installation& installation, const NetworkChoice& choice);

// A folder as a model of a run.
struct FolderRequest {
  NetworkChoice network;
  DriverOptions driver;
  bool uses_cache = true;
  std::filesystem::path cache = {};  // empty: the installation's
  uint64_t cache_bytes = 0;
};
std::unique_ptr<models::Model> open_folder(const Installation& installation,
                                           const FolderRequest& request);

// How a checkpoint folder would be asked, told without reading its weights.
struct FolderFacts {
  std::string kind;  // "dual encoder", "fusion", "language"
  bool looks = true;
  int64_t tokens_per_picture = 0;  // 0: not known
};
// `head` may be empty. Throws as opening would where the folder cannot be a model.
FolderFacts describe_folder(const Installation& installation,
                            const NetworkChoice& choice,
                            const std::string& head);

}  // namespace snellen::inference
