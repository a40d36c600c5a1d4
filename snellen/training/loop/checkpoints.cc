// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/checkpoints.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/models/checkpoint/checkpoint_draft.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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

// The record of a checkpoint; throws kInvalidInput for anything else.
class Record {
 public:
  explicit Record(const fs::path& file)
      : file_(file), json_(formats::parse_ordered_json(read_text_file(file))) {
    if (!json_.is_object()) fail();
  }

  std::string stamp() const {
    auto found = json_.find("stamp");
    if (found == json_.end() || !found->is_string()) fail();
    return found->get<std::string>();
  }
  uint64_t count(const char* name) const {
    auto found = json_.find(name);
    if (found == json_.end() || !found->is_number_unsigned()) fail();
    return found->get<uint64_t>();
  }
  std::optional<double> number(const char* name) const {
    auto found = json_.find(name);
    if (found == json_.end()) return std::nullopt;
    if (!found->is_number()) fail();
    return found->get<double>();
  }

 private:
  [[noreturn]] void fail() const {
    throw Error{ErrorCode::kInvalidInput,
                "is not the record of a checkpoint",
                file_.string(),
                "remove the checkpoint's folder to go on from the one before it"};
  }

  fs::path file_;
  Json json_;
};

// " (samples, lr)": the settings in which two stamps differ; empty where they do not tell.
std::string differences(const std::string& one, const std::string& other) {
  const Json left = formats::parse_ordered_json(one), right = formats::parse_ordered_json(other);
  std::vector<std::string> names;
  if (left.is_object() && right.is_object()) {
    for (const auto& [name, value] : left.items()) {
      if (!right.contains(name) || right.at(name) != value) names.push_back(name);
    }
    for (const auto& [name, value] : right.items()) {
      if (!left.contains(name)) names.push_back(name);
    }
  }
  return names.empty() ? std::string() : fmt::format(" ({})", fmt::join(names, ", "));
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
  const Record record(found.back() / kRecord);
  if (record.stamp() != stamp_) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("holds checkpoints of a training with other settings{}",
                            differences(record.stamp(), stamp_)),
                folder_.string(),
                "name another --output, remove the folder, or pass the settings it was begun with"};
  }
  return Checkpointed{.folder = found.back(),
                      .num_steps = record.count("step"),
                      .num_replaced = record.count("replaced"),
                      .watch = {.best = record.number("best"), .num_worse = record.count("worse")}};
}

void Checkpoints::write(const Learner& learner,
                        uint64_t num_replaced,
                        const EarlyStopping& watch) const {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  fs::path place = folder_ / fmt::format("step-{:08d}", learner.num_steps());
  if (fs::exists(place, failed)) return;  // the same step has the same weights
  models::CheckpointDraft draft(place);
  models::copy_companions(companions_, draft.folder());
  learner.write_weights(
      draft.folder() / "model.safetensors", models::ElementType::kF32, /*averaged=*/false);
  learner.write_state(state_file(draft.folder()));
  Json record = {{"step", learner.num_steps()}, {"replaced", num_replaced}, {"stamp", stamp_}};
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
  for (const fs::path& one : whole_ones(folder_)) fs::remove_all(one, ignored);
  fs::remove(folder_, ignored);  // what is somebody's own stays, with the folder
}

}  // namespace snellen::training
