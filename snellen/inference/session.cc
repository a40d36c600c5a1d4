// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/session.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/base/nearest.h"
#include "snellen/inference/machine.h"
#include "snellen/inference/network_parts.h"
#include "snellen/inference/tile_unit.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/checkpoint/hub_cache.h"
#include "snellen/models/model.h"
#include "snellen/models/network_module.h"
#include "snellen/models/variants.h"
#include "snellen/models/worker.h"

namespace snellen::inference {
namespace {

namespace fs = std::filesystem;

bool looks_at_pictures(const models::Network& network) {
  return network.dual() || network.pair() || network.video() || network.facts().image_size > 0;
}

// Hashes of the weights and of every other file that was opened, each name once.
std::vector<models::Model::Identity> identity_of(const models::Checkpoint& checkpoint,
                                                 const std::vector<fs::path>& opened) {
  std::vector<models::Model::Identity> identity;
  for (const models::Checkpoint::FileHash& file : checkpoint.identity())
    identity.push_back({file.name, file.sha256});
  for (const fs::path& path : opened) {
    const std::string name = path.filename().string();
    auto has_name = [&](const models::Model::Identity& one) { return one.name == name; };
    if (std::none_of(identity.begin(), identity.end(), has_name))
      identity.push_back({name, sha256_of_file(path)});
  }
  return identity;
}

// What works on the device of a GPU.
void add_device(std::shared_ptr<const models::NetworkModule> module,
                const models::NetworkOptions& options,
                OpenedNetwork& opened) {
  opened.stage = [module, options](const models::BytePixels& pixels) {
    return module->stage(pixels, options);
  };
  if (module->picture_decoder()) {
    opened.decode = [module, options](std::span<const models::CodedPicture> pictures,
                                      const models::DecodeHere& decode_here) {
      return module->picture_decoder()(pictures, decode_here, options);
    };
  }
  opened.is_out_of_memory = [module](const std::exception& thrown) {
    return module->is_out_of_memory(thrown);
  };
}

CacheOptions cache_options(const Installation& installation, const FolderRequest& request) {
  const fs::path folder = request.cache.empty() ? installation.cache : request.cache;
  if (!request.uses_cache || folder.empty()) return {};
  const NetworkChoice& network = request.network;
  return {.folder = folder,
          .max_bytes = request.cache_bytes,
          .about = fmt::format("{} {} on {}",
                               fs::weakly_canonical(network.model).filename().string(),
                               network.dtype,
                               network.device),
          .machine = fmt::format("dtype {}\nquick_gelu {}\n{}{}",
                                 static_cast<int>(network_options(network).dtype),
                                 network.quick_gelu,
                                 machine_facts(network.device != "cpu"),
                                 installation.variables)};
}

// Patches of the vision tower and its class token, where the config says so in the usual words.
int64_t tokens_of_config(const models::Checkpoint& checkpoint) {
  if (!checkpoint.has_config()) return 0;
  const models::ConfigView config = checkpoint.config();
  const models::ConfigView all = checkpoint.is_open_clip() ? config.sub("model_cfg") : config;
  for (const char* key : {"vision_config", "vision_cfg", "image_config"}) {
    if (!all.is_object(key)) continue;
    const models::ConfigView vision = all.sub(key);
    if (!vision.has("patch_size") || vision.is_list("patch_size") || vision.is_list("image_size"))
      continue;
    const int64_t side = vision.positive("image_size", 224) / vision.positive("patch_size");
    return side * side + 1;
  }
  return 0;
}

// Files of tokenizers that are downloaded with Git LFS.
void refuse_pointers(const fs::path& folder) {
  for (const char* name : {"tokenizer.json",
                           "vocab.json",
                           "merges.txt",
                           "vocab.txt",
                           "spiece.model",
                           "sentencepiece.bpe.model"}) {
    std::error_code failed;
    constexpr uint64_t kMostPointerBytes = 1024;
    const uint64_t size = fs::file_size(folder / name, failed);
    if (!failed && size < kMostPointerBytes)
      models::refuse_lfs_pointer(read_text_file(folder / name), folder / name);
  }
}

}  // namespace

fs::path folder_of_model(const Installation& installation, const std::string& word) {
  std::error_code ignored;
  const bool is_path = word.starts_with("/") || word.starts_with("./") || word.starts_with("../");
  if (is_path || fs::exists(word, ignored)) return word;
  if (const auto reference = models::reference_checkpoint(word))
    return models::find_in_hub_cache(*reference, installation.hub);
  if (const auto name = models::hub_name_of(word))
    return models::find_in_hub_cache(*name, installation.hub);
  std::vector<std::string> known = models::reference_names();
  known.insert(known.begin(), {"fake", "file", "exec", "openai"});
  std::vector<std::string> near = nearest_names(word, known);
  // Of a published name the part behind the organisation, or of its page the address.
  const std::string last = word.substr(word.find_last_of('/') + 1);
  for (const models::Variant& variant : models::published_variants()) {
    if (!last.empty() && variant.checkpoint.ends_with("/" + last)) near = {variant.checkpoint};
  }
  // 'llava' is no misspelt 'flava'.
  std::erase_if(near, [&](const std::string& name) {
    return name.find('/') == std::string::npos && !word.starts_with(name.front());
  });
  throw Error{
      ErrorCode::kUsage,
      fmt::format("there is no folder '{}', and no model has this name", word.substr(0, 200)),
      "--model",
      fmt::format("{}give a checkpoint folder, a published name as ORG/NAME, "
                  "exec:\"COMMAND\", openai:NAME or file:SCORES",
                  near.empty() ? "" : fmt::format("did you mean '{}'? Else ", near.front()))};
}

models::Layout layout_of(const NetworkChoice& choice) {
  if (choice.layout == "hf") return models::Layout::kHuggingFace;
  if (choice.layout == "open_clip") return models::Layout::kOpenClip;
  return models::Layout::kAuto;
}

models::NetworkOptions network_options(const NetworkChoice& choice) {
  models::NetworkOptions options;
  options.device = choice.device;
  options.quick_gelu = choice.quick_gelu;
  const bool is_cpu = choice.device == "cpu";
  if (!is_cpu && choice.device != "cuda" && !choice.device.starts_with("cuda:"))
    throw Error{
        ErrorCode::kUsage, "is '" + choice.device + "', expected cpu, cuda or cuda:N", "--device"};
  const bool is_brain =
      choice.dtype == "bf16" || (choice.dtype == "auto" && (!is_cpu || runs_tile_products()));
  if (is_brain) options.dtype = models::ElementKind::kBFloat16;
  if (choice.dtype == "fp16") {
    if (is_cpu)
      throw Error{ErrorCode::kUsage, "fp16 is for GPUs", "--dtype", "take fp32 or bf16 on the CPU"};
    options.dtype = models::ElementKind::kFloat16;
  }
  return options;
}

fs::path prepared_module(const Installation& installation) {
  if (installation.module.empty()) {
    throw Error{ErrorCode::kNotFound,
                "the networks are not built: libsnellen_networks.so is not beside the program",
                "--model",
                "build it with torch: ./dev build"};
  }
  // oneDNN believes what the processor announces; products in bfloat16 would end the program.
  if (!runs_tile_products()) ::setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", /*overwrite=*/0);
  return installation.module;
}

models::NetworkModule open_module(const Installation& installation) {
  return models::NetworkModule(prepared_module(installation));
}

std::unique_ptr<const text::Tokenizer> open_tokenizer(const Installation& installation,
                                                      const fs::path& folder,
                                                      std::optional<text::TokenizerFamily> family,
                                                      std::vector<fs::path>* opened) {
  refuse_pointers(folder);
  return text::load_tokenizer({.folder = folder,
                               .family = family,
                               .clip_vocabulary = installation.clip_vocabulary,
                               .opened = opened});
}

std::optional<text::TokenizerFamily> tokenizer_family_of(const models::Checkpoint& checkpoint,
                                                         const NetworkChoice& choice) {
  if (!checkpoint.is_open_clip()) return std::nullopt;
  if (!checkpoint.has_config()) {
    // OpenAI's state dict comes with nothing but its weights.
    const bool has_files = fs::exists(checkpoint.folder() / "tokenizer.json") ||
                           fs::exists(checkpoint.folder() / "vocab.json");
    if (has_files && choice.layout != "open_clip") return std::nullopt;
    return text::TokenizerFamily::kOpenClip;
  }
  if (choice.layout != "open_clip") return std::nullopt;
  const models::ConfigView text = checkpoint.config().sub("model_cfg").sub("text_cfg");
  if (text.is_set("hf_tokenizer_name")) return std::nullopt;
  return text::TokenizerFamily::kOpenClip;
}

media::ProcessorConfig processor_config_of(const models::Checkpoint& checkpoint,
                                           const NetworkChoice& choice,
                                           const models::Network& network,
                                           std::vector<fs::path>* opened) {
  const bool is_bare = checkpoint.is_open_clip() && !checkpoint.has_config() &&
                       !fs::exists(checkpoint.folder() / "preprocessor_config.json");
  if (choice.layout == "open_clip" || is_bare)
    return media::read_open_clip_processor_config(
        checkpoint.folder(), network.facts().image_size, opened);
  return media::read_processor_config(checkpoint.folder(), {}, opened);
}

OpenedNetwork open_network(const Installation& installation, const NetworkChoice& choice) {
  const fs::path folder = folder_of_model(installation, choice.model);
  const models::Checkpoint checkpoint(folder, layout_of(choice));
  auto module = std::make_shared<const models::NetworkModule>(open_module(installation));
  const models::NetworkOptions options = network_options(choice);
  OpenedNetwork opened;
  std::vector<fs::path> files;
  opened.network = module->architecture_of(checkpoint).load(checkpoint, options);
  opened.tokenizer =
      open_tokenizer(installation, folder, tokenizer_family_of(checkpoint, choice), &files);
  if (looks_at_pictures(*opened.network)) {
    opened.processor = std::make_unique<media::ImageProcessor>(
        processor_config_of(checkpoint, choice, *opened.network, &files));
  }
  opened.identity = identity_of(checkpoint, files);
  opened.identity.push_back({"torch", module->torch()});
  if (options.device != "cpu") add_device(std::move(module), options, opened);
  return opened;
}

std::unique_ptr<models::Model> open_folder(const Installation& installation,
                                           const FolderRequest& request) {
  OpenedNetwork opened = open_network(installation, request.network);
  DriverOptions options = request.driver;
  options.is_on_gpu = request.network.device != "cpu";
  options.cache = cache_options(installation, request);
  std::error_code refused;
  fs::create_directories(options.working_folder, refused);
  if (refused)
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be written: {}", refused.message()),
                options.working_folder.string(),
                "choose an --output folder that can be written"};
  return make_driver(std::move(opened), options);
}

std::unique_ptr<models::Model> open_worker(const Installation& installation,
                                           std::unique_ptr<const models::Worker> worker,
                                           const FolderRequest& request) {
  DriverOptions options = request.driver;
  const fs::path cache = request.cache.empty() ? installation.cache : request.cache;
  if (request.uses_cache && worker->traits().may_be_kept && !cache.empty())
    options.cache = {
        .folder = cache, .max_bytes = request.cache_bytes, .about = request.network.model};
  fs::create_directories(options.working_folder);
  OpenedNetwork opened;
  opened.worker = std::move(worker);
  return make_driver(std::move(opened), options);
}

FolderFacts describe_folder(const Installation& installation,
                            const NetworkChoice& choice,
                            const std::string& head) {
  const models::Checkpoint checkpoint(folder_of_model(installation, choice.model),
                                      layout_of(choice));
  const models::NetworkModule module = open_module(installation);
  const models::ArchitectureFacts& facts = module.architecture_of(checkpoint).facts();
  const std::string asked = head.empty() ? facts.heads.front() : head;
  const bool is_of_text = facts.heads == std::vector<std::string>{"likelihood"};
  const bool is_fusion = asked == "itm" || asked == "likelihood";
  FolderFacts found{.kind = is_of_text  ? "language"
                            : is_fusion ? "fusion"
                                        : "dual encoder",
                    .looks = !is_of_text};
  if (found.looks) found.tokens_per_picture = tokens_of_config(checkpoint);
  return found;
}

}  // namespace snellen::inference
