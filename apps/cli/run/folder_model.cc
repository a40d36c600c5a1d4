// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/folder_model.h"

#include <fmt/format.h>

#include "apps/cli/run/cache_place.h"
#include "apps/cli/run/networks.h"
#include "snellen/base/hash.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/inference/driver.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

// Files beside the weights that decide what goes into the network.
constexpr auto kInputFiles = std::to_array<const char*>({"tokenizer.json",
                                                         "tokenizer_config.json",
                                                         "vocab.json",
                                                         "merges.txt",
                                                         "vocab.txt",
                                                         "spiece.model",
                                                         "preprocessor_config.json"});

NetworkFlags flags_of(const config::Options& options) {
  return {.model = options.text("model"),
          .layout = options.text("layout"),
          .device = options.text("device"),
          .dtype = options.text("dtype"),
          .quick_gelu = options.text("quick-gelu")};
}

std::vector<models::Model::Identity> identity_of(const models::Checkpoint& checkpoint) {
  std::vector<models::Model::Identity> identity;
  for (const models::Checkpoint::FileHash& file : checkpoint.identity())
    identity.push_back({file.name, file.sha256});
  std::error_code ignored;
  for (const char* name : kInputFiles) {
    fs::path path = checkpoint.folder() / name;
    if (fs::exists(path, ignored)) identity.push_back({name, sha256_of_file(path)});
  }
  return identity;
}

inference::CacheOptions cache_options(const run::FolderModelRequest& request, const NetworkFlags& flags) {
  if (request.options.flag("no-cache")) return {};
  const double gigabytes = request.options.number("cache-size");
  if (!(gigabytes > 0 && gigabytes <= 1e6))
    throw Error{ErrorCode::kUsage,
                fmt::format("is {}, expected GB above 0", gigabytes),
                "--cache-size",
                "leave the cache out with --no-cache"};
  return {.folder = row_cache_folder(request.options.text("cache")),
          .max_bytes = static_cast<uint64_t>(gigabytes * 1e9),
          .about = fmt::format("{} {} on {}",
                               fs::weakly_canonical(request.folder).filename().string(),
                               flags.dtype,
                               flags.device),
          .machine = fmt::format("dtype {}\nquick_gelu {}\n{}",
                                 static_cast<int>(network_options(flags).dtype),
                                 flags.quick_gelu,
                                 machine_facts(flags.device != "cpu"))};
}

bool looks_at_pictures(const models::Network& network) {
  return network.dual() || network.pair() || network.video() || network.facts().image_size > 0;
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

}  // namespace

run::FolderFacts describe_folder_model(const Context& context,
                                       const run::FolderModelRequest& request) {
  const NetworkFlags flags = flags_of(request.options);
  models::Checkpoint checkpoint(request.folder, layout_of(flags));
  const models::NetworkModule module = open_network_module(context);
  const models::ArchitectureFacts& facts = module.architecture_of(checkpoint).facts();
  const std::string& score = request.options.text("score");
  const std::string head = score.empty() ? facts.heads.front() : score;
  const bool is_of_text = facts.heads == std::vector<std::string>{"likelihood"};
  run::FolderFacts found{.kind = is_of_text                              ? "language"
                                 : head == "itm" || head == "likelihood" ? "fusion"
                                                                         : "dual encoder",
                         .looks = !is_of_text};
  if (found.looks) found.tokens_per_picture = tokens_of_config(checkpoint);
  return found;
}

std::unique_ptr<models::Model> open_folder_model(const Context& context,
                                                 const run::FolderModelRequest& request) {
  NetworkFlags flags = flags_of(request.options);
  if (flags.device == "cuda" && request.gpu >= 0)
    flags.device = fmt::format("cuda:{}", request.gpu);
  models::Checkpoint checkpoint(request.folder, layout_of(flags));
  auto module = std::make_shared<const models::NetworkModule>(open_network_module(context));
  const models::NetworkOptions options = network_options(flags);
  inference::OpenedNetwork opened;
  opened.network = module->architecture_of(checkpoint).load(checkpoint, options);
  opened.tokenizer = open_tokenizer(context, request.folder);
  if (looks_at_pictures(*opened.network)) {
    opened.processor =
        std::make_unique<media::ImageProcessor>(media::read_processor_config(request.folder));
  }
  opened.identity = identity_of(checkpoint);
  opened.identity.push_back({"torch", module->torch()});
  if (options.device != "cpu") {
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
  fs::create_directories(request.settings.output);
  return inference::make_network_model(
      std::move(opened),
      {.head = request.options.text("score"),
       .is_compat = request.settings.is_compat,
       .masks_clips = request.options.text("mask-video") == "true",
       .is_on_gpu = flags.device != "cpu",
       .is_asked_in_parts = request.is_asked_in_parts,
       .pretended_memory = static_cast<uint32_t>(request.options.integer("pretend-memory")),
       .client = request.pictures,
       .num_threads = request.settings.num_threads,
       .working_folder = request.settings.output,
       .cache = cache_options(request, flags)});
}

}  // namespace snellen::cli
