// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/checkpoint.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/hash.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHuggingFaceConfig = "config.json";
constexpr const char* kOpenClipConfig = "open_clip_config.json";

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// What to give where no folder is.
std::string instead_of(const fs::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".zip" || ending == ".gz" || ending == ".tar")
    return "unpack it and give the folder that holds config.json";
  if (ending == ".py" && is_there(path))
    return fmt::format("an adapter is started with exec:\"python3 {}\" (docs/adapters.md)",
                       path.string());
  if (ending == ".jsonl" && is_there(path))
    return fmt::format("scores of a file are named file:{}", path.string());
  return "give the folder that holds config.json and the weights";
}

// What to do about a folder without a configuration: mostly a checkpoint lies one level below.
std::string advice_without_config(const fs::path& folder) {
  constexpr size_t kMostNamed = 8;
  std::vector<std::string> below;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (is_there(entry.path() / kHuggingFaceConfig) || is_there(entry.path() / kOpenClipConfig))
      below.push_back(entry.path().string());
  }
  if (below.empty())
    return "download the checkpoint's whole folder; weights alone do not say what model they are";
  std::sort(below.begin(), below.end());
  const bool is_cut = below.size() > kMostNamed;
  below.resize(std::min(below.size(), kMostNamed));
  return fmt::format(
      "checkpoints lie below it, give one: {}{}", fmt::join(below, ", "), is_cut ? ", ..." : "");
}

fs::path checked_folder(fs::path folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw Error{ErrorCode::kNotFound,
                is_there(folder) ? "is a file, not a checkpoint folder" : "does not exist",
                folder.string(),
                instead_of(folder)};
  }
  return folder;
}

// Weights by OpenAI's names, which open_clip has too.
bool has_openai_names(const fs::path& folder) {
  try {
    const WeightFiles weights(folder, Layout::kOpenClip);
    return weights.find("visual.conv1.weight") && weights.find("token_embedding.weight");
  } catch (const Error&) {
    return false;  // what is wrong with them is said where they are read
  }
}

Layout layout_of(const fs::path& folder, Layout asked) {
  if (asked != Layout::kAuto) return asked;
  if (is_there(folder / kHuggingFaceConfig)) return Layout::kHuggingFace;
  bool is_open_clip = is_there(folder / kOpenClipConfig) ||
                      is_there(folder / "open_clip_model.safetensors") ||
                      is_there(folder / "open_clip_pytorch_model.bin") || has_openai_names(folder);
  return is_open_clip ? Layout::kOpenClip : Layout::kHuggingFace;
}

// Empty for OpenAI's state dict, which comes without one.
fs::path config_file(const fs::path& folder, Layout layout) {
  bool is_open_clip = layout == Layout::kOpenClip;
  fs::path file = folder / (is_open_clip ? kOpenClipConfig : kHuggingFaceConfig);
  if (is_there(file)) return file;
  if (is_open_clip) return {};
  throw Error{ErrorCode::kNotFound,
              fmt::format("has no {} (nor {})", kHuggingFaceConfig, kOpenClipConfig),
              folder.string(),
              advice_without_config(folder)};
}

}  // namespace

Checkpoint::Checkpoint(fs::path folder, Layout layout)
    : folder_(checked_folder(std::move(folder))),
      is_open_clip_(layout_of(folder_, layout) == Layout::kOpenClip),
      config_file_(config_file(folder_, is_open_clip_ ? Layout::kOpenClip : Layout::kHuggingFace)),
      config_(std::make_unique<const nlohmann::json>(
          config_file_.empty() ? nlohmann::json::object() : read_config(config_file_))),
      weights_(folder_, is_open_clip_ ? Layout::kOpenClip : Layout::kHuggingFace) {}

ConfigView Checkpoint::config() const {
  return {*config_, has_config() ? config_file_.string() : folder_.string()};
}

std::string Checkpoint::model_type() const {
  return is_open_clip_ ? "" : config().text("model_type", "");
}

std::string Checkpoint::architecture() const {
  if (is_open_clip_) return "";
  std::vector<std::string> names = config().texts("architectures", std::vector<std::string>{});
  return names.empty() ? "" : names.front();
}

std::vector<Checkpoint::FileHash> Checkpoint::identity() const {
  std::vector<FileHash> hashes;
  auto add = [&](const fs::path& file) {
    hashes.push_back({file.filename().string(), sha256_of_file(file)});
  };
  if (has_config()) add(config_file_);
  for (const fs::path& file : weights_.files()) add(file);
  return hashes;
}

Error unknown_model_type(const Checkpoint& checkpoint, std::span<const std::string> known) {
  std::string type = checkpoint.model_type();
  return Error{ErrorCode::kInvalidInput,
               type.empty() ? std::string("does not say its model_type")
                            : fmt::format("model_type '{}' is not supported", type),
               checkpoint.config().where(),
               fmt::format("supported are {}; other models run through an adapter: "
                           "docs/adapters.md",
                           fmt::join(known, ", "))};
}

}  // namespace snellen::models
