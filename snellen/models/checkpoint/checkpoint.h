// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/models/checkpoint/weight_files.h"

namespace snellen::models {

// A published model folder, as downloaded: its configuration and its weights. Opening reads headers
// only. Const methods are safe from many threads.
class Checkpoint {
 public:
  // kAuto: config.json wins over open_clip_config.json. Throws kNotFound (no folder, no config, no
  // weights) or kInvalidInput.
  // A folder without any config is taken only as OpenAI's own state dict: with Layout::kOpenClip,
  // or when its file has an open_clip name or its weights have OpenAI's; has_config() is then false
  // and sizes come from shapes.
  explicit Checkpoint(std::filesystem::path folder, Layout layout = Layout::kAuto);

  const std::filesystem::path& folder() const { return folder_; }
  bool is_open_clip() const { return is_open_clip_; }
  bool has_config() const { return !config_file_.empty(); }
  // Valid as long as this object, also when it is moved. open_clip: ask sub("model_cfg").
  ConfigView config() const;
  // `model_type` and `architectures[0]`; empty for open_clip folders and where absent.
  std::string model_type() const;
  std::string architecture() const;
  const WeightFiles& weights() const { return weights_; }

  struct FileHash {
    std::string name;  // of the file in the folder
    std::string sha256;
  };
  // What was read, hashed: the config, an index, every weight file. Reads every byte each time it
  // is called (about a second per GB); opening does not.
  std::vector<FileHash> identity() const;

 private:
  std::filesystem::path folder_;
  bool is_open_clip_ = false;
  std::filesystem::path config_file_;
  std::unique_ptr<const nlohmann::json> config_;  // on the heap, so that views outlive a move
  WeightFiles weights_;
};

// The error for a model_type that no architecture claims: names it, the nearest of `known`, or all.
Error unknown_model_type(const Checkpoint& checkpoint, std::span<const std::string> known);

}  // namespace snellen::models
