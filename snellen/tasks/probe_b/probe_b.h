// SPDX-License-Identifier: Apache-2.0
// What the two contextual probes share: fillers, class table, image folders, score lines
// (docs/spec/probe.md 2.4-2.8).
#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/annotations/record.h"
#include "snellen/base/json_object.h"
#include "snellen/config/options.h"
#include "snellen/stats/sum.h"
#include "snellen/tasks/item.h"
#include "snellen/tasks/seed_json.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::probe_b {

// The three images of a group, in this order everywhere; names as in the published files.
enum Image { kGt, kPatch, kMod };
inline constexpr std::array<std::string_view, 3> kImages = {"gt", "patch", "mod"};

struct ImagePair {
  Image from;
  Image to;
  std::string_view name;
};
inline constexpr ImagePair kGtMod = {kGt, kMod, "gt_mod"};
inline constexpr ImagePair kGtPatch = {kGt, kPatch, "gt_patch"};
inline constexpr ImagePair kPatchMod = {kPatch, kMod, "patch_mod"};

// Logits over the classes, one row per image.
using Logits = std::array<std::vector<double>, 3>;

// What `--fill-type` names: one filler, a list, or all four.
std::vector<std::string> fills_of(const config::Options& options);
// prompt_classes.csv beside the annotations when it is there, else the 80 COCO classes.
annotations::ClassTable class_table_of(const config::Options& options, bool is_compat);
// What is compared between two images of a group (docs/spec/probe.md, Equation 8): the model's
// similarity, as the paper says, or its softmax share, as the released scripts have it.
enum class Robustness { kSoftmax, kSimilarity };

// The settings both tasks declare.
struct Settings {
  std::vector<std::string> fills = {"noise"};
  std::filesystem::path classes;
  std::filesystem::path original;  // folders of the three images
  std::filesystem::path patched;
  std::filesystem::path modified;
  Robustness robustness = Robustness::kSoftmax;
};
config::Block settings_block();
// Throws kUsage for what the reference scripts do not have.
Robustness robustness_of(const config::Options& options, bool is_compat);
// "change_conf", or "change_similarity".
std::string change_column(Robustness robustness);
// For the notes of a run.
std::string robustness_note(Robustness robustness);

// The plain file names in a folder; throws kNotFound when it cannot be listed.
std::set<std::string> names_in(const std::filesystem::path& folder);
// The number after the last underscore before the first dot; nothing when there is none.
std::optional<int64_t> image_id_in(std::string_view name);
// The image ids of all names in a folder.
std::set<int64_t> image_ids_in(const std::filesystem::path& folder);

// The positions of an annotation file that pass a folder filter, or all of them when there is none.
class KeptGroups {
 public:
  explicit KeptGroups(uint64_t total) : total_(total) {}
  void filter(const std::function<bool(uint64_t)>& passes);
  uint64_t size() const { return kept_ ? kept_->size() : total_; }
  uint64_t total() const { return total_; }
  bool is_filtered() const { return kept_.has_value(); }
  uint64_t index(uint64_t position) const { return kept_ ? (*kept_)[position] : position; }

 private:
  uint64_t total_;
  std::optional<std::vector<uint32_t>> kept_;
};

// A filler and the groups it is evaluated on: one part of a task.
struct Filler {
  std::string name;
  KeptGroups kept;
};
std::vector<Part> parts_of(const std::vector<Filler>& fillers);

// The filler a position belongs to, and the record's index in the annotation file.
struct FillerGroup {
  const Filler& filler;
  uint64_t index;
};
FillerGroup group_at(const std::vector<Filler>& fillers, uint64_t position);

// A score file holds one filler's scores: throws kUsage when several are asked for.
const Filler& only_filler(const std::vector<Filler>& fillers);

// A folder that `build probe-b` writes beside the annotations; empty where it is not there, and
// where scores were made elsewhere.
std::filesystem::path built_folder(const config::Options& options, const char* name);
// The folders of the three pictures: those of the flags, else the one given here and those that
// `build probe-b` made. Empty: not named.
struct Folders {
  std::filesystem::path original;
  std::filesystem::path patched;
  std::filesystem::path modified;
};
Folders folders_of(const config::Options& options,
                   const std::filesystem::path& original,
                   const char* modified);

// Every class of each of the three pictures, below their folders: one question per picture, in the
// order of Image.
void ask_all(Item& item,
             const Folders& folders,
             const std::array<std::filesystem::path, 3>& pictures,
             const annotations::ClassTable& classes);
// The scores of ask_all() as logits; throws kInvalidInput through Result when their number does not
// fit.
Result<Logits> logits_of(const std::vector<double>& scores, size_t num_classes);
// The three rows at "logits", joined.
std::vector<double> read_logits(annotations::Record& record);

// The same three rows of an item's scores, as a score line holds them.
JsonObject logits_json(std::span<const double> scores);

// Of a column of a filler's groups.
struct Mean {
  stats::Sum sum = {};
  uint64_t count = 0;
  void add(double x) {
    sum.add(x);
    ++count;
  }
  double value() const {
    return count == 0 ? std::nan("") : sum.value() / static_cast<double>(count);
  }
};
// As the published file of aggregates has it, and a line of the log; "[]" where no group counts.
void put_mean(SeedJson& aggregated,
              const std::string& fill,
              const std::string& key,
              const Mean& mean,
              SeedReport& report);

// 1 - (from - to) / from; NaN when `from` is 0 by default, what IEEE gives in compat.
double relative_robustness(double from, double to, bool is_compat);

}  // namespace snellen::tasks::probe_b
