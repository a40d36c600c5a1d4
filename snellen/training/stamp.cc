// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/base/hash.h"
#include "snellen/training/setup.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Whether a file of a model folder is part of the model: config, weights and their shards,
// tokenizer, preprocessing. A training writes files of other kinds beside them.
bool is_of_model(const fs::path& file) {
  constexpr std::array kKinds = {".json", ".txt", ".model", ".safetensors", ".bin", ".gz"};
  return std::find(kKinds.begin(), kKinds.end(), file.extension()) != kKinds.end();
}

Json hashes_of_model(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && is_of_model(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Json hashes = Json::object();
  for (const fs::path& file : files) hashes[file.filename().string()] = sha256_of_file(file);
  return hashes;
}

}  // namespace

std::string stamp_of(const TrainingSettings& settings,
                     const TrainingSetup& setup,
                     const Schedule& schedule,
                     uint64_t evaluate_every) {
  const LearnerOptions& learner = setup.learner;
  Json stamp = {{"samples", setup.samples->identity()},
                {"seed", settings.seed},
                {"device", learner.device == "cpu" ? "cpu" : "cuda"},
                {"dtype", settings.dtype},
                {"batch_size", settings.batch_size},
                {"accumulate", settings.accumulate},
                {"chunk", settings.chunk},
                {"steps", schedule.num_steps},
                {"warmup_steps", schedule.warmup_steps},
                {"lr", settings.lr},
                {"betas", {learner.beta1, learner.beta2}},
                {"weight_decay", settings.weight_decay},
                {"clip_norm", settings.clip_norm},
                {"ema", settings.ema},
                {"trained", static_cast<int>(learner.trained)},
                {"margin", learner.margin},
                {"weights", {learner.contrastive_weight, learner.contrast_weight}}};
  // What is watched decides when training ends.
  if (settings.patience > 0) {
    stamp["stopping"] = {settings.stop_on, settings.patience, evaluate_every};
    for (const std::string& file : settings.probe_files)
      stamp["probes"].push_back(fs::exists(file) ? sha256_of_file(file) : file);
  }
  stamp["init"] = hashes_of_model(setup.companions);
  return stamp.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace snellen::training
