// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/checkpoints.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/models/checkpoint/checkpoint_draft.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

constexpr size_t kKept = 2;
constexpr const char* kRecord = "training.json";

// Whole ones, oldest first: names sort as numbers do.
std::vector<fs::path> whole_ones(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (fs::exists(entry.path() / kRecord, ignored) && !is_half_written(entry.path()))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Checkpoints::Checkpoints(const fs::path& output, std::string stamp, fs::path companions)
    : folder_(output / "checkpoints"),
      stamp_(std::move(stamp)),
      companions_(std::move(companions)) {}

fs::path Checkpoints::state_file(const fs::path& folder) {
  return folder / "optimizer.safetensors";
}

std::optional<Checkpointed> Checkpoints::last() const {
  std::vector<fs::path> found = whole_ones(folder_);
  if (found.empty()) return std::nullopt;
  fs::path record = found.back() / kRecord;
  nlohmann::json json = formats::parse_json(read_text_file(record));
  if (!json.is_object() || !json.value("stamp", nlohmann::json()).is_string() ||
      !json.value("step", nlohmann::json()).is_number_unsigned()) {
    throw Error{ErrorCode::kInvalidInput, "is no record of a checkpoint", record.string()};
  }
  if (json["stamp"] != stamp_) {
    throw Error{ErrorCode::kInvalidInput,
                "holds checkpoints of a training with other settings",
                folder_.string(),
                "name another --output, remove the folder, or pass the settings it was begun with"};
  }
  Checkpointed last = {.folder = found.back(),
                       .num_steps = json["step"],
                       .num_replaced = json.value("replaced", uint64_t{0})};
  if (const auto best = json.find("best"); best != json.end() && best->is_number())
    last.watch.best = best->get<double>();
  last.watch.num_worse = json.value("worse", uint64_t{0});
  return last;
}

void Checkpoints::write(const Learner& learner, uint64_t num_replaced, const Watch& watch) const {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  fs::path place = folder_ / fmt::format("step-{:08d}", learner.num_steps());
  if (fs::exists(place, failed)) return;  // the same step has the same weights
  models::CheckpointDraft draft(place);
  models::copy_companions(companions_, draft.folder());
  learner.write_weights(
      draft.folder() / "model.safetensors", models::ElementType::kF32, /*averaged=*/false);
  learner.write_state(state_file(draft.folder()));
  nlohmann::ordered_json record = {
      {"step", learner.num_steps()}, {"replaced", num_replaced}, {"stamp", stamp_}};
  if (watch.best) record["best"] = *watch.best;
  record["worse"] = watch.num_worse;
  write_text_file(draft.folder() / kRecord, record.dump() + "\n");
  draft.commit();
  std::vector<fs::path> found = whole_ones(folder_);
  for (size_t i = 0; i + kKept < found.size(); ++i) {
    fs::remove(found[i] / kRecord, failed);  // first, so that half a folder is never taken for one
    fs::remove_all(found[i], failed);
  }
}

void Checkpoints::remove_all() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace snellen::training
