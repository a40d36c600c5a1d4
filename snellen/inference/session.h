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
#include "snellen/inference/installation.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::media {
struct ProcessorConfig;
}
namespace snellen::models {
class Checkpoint;
class Model;
class Network;
class NetworkModule;
class Worker;
enum class Layout;
struct NetworkOptions;
}  // namespace snellen::models

namespace snellen::inference {

// The folder that a model flag names: a path, a folder that is there, a name of the reference
// scripts ("bridgetower"), or a published name ("openai/clip-vit-base-patch32", "hf:gpt2@main") in
// Hugging Face's cache. Throws kNotFound or kUsage with what to do.
std::filesystem::path folder_of_model(const Installation& installation, const std::string& word);

// A checkpoint folder, and how its network computes.
struct NetworkChoice {
  std::string model;            // the folder, or a name that folder_of_model() reads
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

// Which tokenizer and which preprocessing belong to the layout that was chosen: open_clip's own
// (unless its config names another tokenizer), or those that the folder's files name.
std::optional<text::TokenizerFamily> tokenizer_family_of(const models::Checkpoint& checkpoint,
                                                         const NetworkChoice& choice);
media::ProcessorConfig processor_config_of(const models::Checkpoint& checkpoint,
                                           const NetworkChoice& choice,
                                           const models::Network& network,
                                           std::vector<std::filesystem::path>* opened = nullptr);

// Throws what the folder's files are lacking. Who calls it includes network_parts.h too.
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

// A worker as a model of a run; of the request only the driver's options and the cache count.
std::unique_ptr<models::Model> open_worker(const Installation& installation,
                                           std::unique_ptr<const models::Worker> worker,
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
