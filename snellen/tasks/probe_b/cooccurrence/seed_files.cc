// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_b/cooccurrence/seed_files.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::probe_b_cooccurrence {
namespace {

namespace fs = std::filesystem;
using probe_b::Mean;

struct SeedColumn {
  const char* key;
  CooccurrenceColumn column;
};

// Numeric columns of the published file, in its order; the lists stand between them.
constexpr std::array kBeforeLists = {SeedColumn{"all_objects_ap", kAllObjectsAp},
                                     SeedColumn{"gt_single_object_acc", kGtAcc},
                                     SeedColumn{"patch_single_object_acc", kPatchAcc},
                                     SeedColumn{"mod_single_object_acc", kModAcc},
                                     SeedColumn{"gt_single_object_softmax", kGtConf},
                                     SeedColumn{"patch_single_object_softmax", kPatchConf},
                                     SeedColumn{"mod_single_object_softmax", kModConf}};
constexpr std::array<const char*, 3> kLists = {
    "gt_all_objects_softmax", "patch_all_objects_softmax", "mod_all_objects_softmax"};
constexpr std::array kAfterLists = {
    SeedColumn{"gt_mod_change_conf", kGtModChange},
    SeedColumn{"gt_patch_change_conf", kGtPatchChange},
    SeedColumn{"patch_mod_change_conf", kPatchModChange},
    SeedColumn{"rel_robustness_gt_mod_change_conf", kGtModRelative},
    SeedColumn{"rel_robustness_gt_patch_change_conf", kGtPatchRelative},
    SeedColumn{"rel_robustness_patch_mod_change_conf", kPatchModRelative},
    SeedColumn{"abs_robustness_gt_mod_change_conf", kGtModAbsolute},
    SeedColumn{"abs_robustness_gt_patch_change_conf", kGtPatchAbsolute},
    SeedColumn{"abs_robustness_patch_mod_change_conf", kPatchModAbsolute}};

// A group as it was stored.
struct Group {
  std::string object;
  std::vector<std::string> other_objects;
  std::array<std::vector<double>, 3> all_objects;  // by image
};

Group group_of(const StoredItem& item, size_t num_classes, bool is_compat) {
  const NamedValues& named = item.outcome.named;
  Group group{.object = named.get<std::string>(kObject),
              .other_objects = named.get<std::vector<std::string>>(kOtherObjects),
              .all_objects = {}};
  if (is_compat) return group;
  for (size_t image = 0; image < group.all_objects.size(); ++image) {
    group.all_objects[image] = named.get<std::vector<double>>(probe_b::kImages[image]);
    if (group.all_objects[image].size() == num_classes) continue;
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("holds {} scores of classes, expected {}",
                            group.all_objects[image].size(),
                            num_classes),
                fmt::format("samples.db: {}", item.id)};
  }
  return group;
}

// Statistics per object, in order of first appearance.
class ObjectStats {
 public:
  ObjectStats(const std::vector<std::string>& all_classes, bool is_compat)
      : all_classes_(all_classes), is_compat_(is_compat) {}

  void add(const StoredItem& item, const Group& group) {
    auto [found, is_new] = places_.emplace(group.object, objects_.size());
    if (is_new) objects_.push_back({.name = group.object});
    Object& object = objects_[found->second];
    double patch = item.outcome.values[kPatchConf];
    double mod = item.outcome.values[kModConf];
    object.mod_acc.add(item.outcome.values[kModAcc]);
    double robustness = probe_b::relative_robustness(patch, mod, is_compat_);
    if (is_compat_ || !std::isnan(robustness)) object.robustness.add(robustness);
    object.difference.add(patch - mod);
    if (is_compat_) return;
    for (const std::string& other : group.other_objects) add_other(other, group);
  }

  void write(const fs::path& path, std::vector<std::string>& log_lines, std::string_view fill);

 private:
  struct Object {
    std::string name;
    Mean mod_acc = {};
    Mean robustness = {};
    Mean difference = {};
  };
  struct Other {
    std::string name;
    Mean drop = {};
    std::vector<double> drops = {};
    std::vector<double> gt = {};
    std::vector<double> mod = {};
  };

  void add_other(const std::string& name, const Group& group) {
    size_t place = 0;
    while (place < all_classes_.size() && all_classes_[place] != name) ++place;
    if (place == all_classes_.size()) return;  // a dropped class
    auto [found, is_new] = other_places_.emplace(name, others_.size());
    if (is_new) others_.push_back({.name = name});
    Other& other = others_[found->second];
    double gt = group.all_objects[probe_b::kGt][place];
    double mod = group.all_objects[probe_b::kMod][place];
    other.drop.add(gt - mod);
    other.drops.push_back(gt - mod);
    other.gt.push_back(gt);
    other.mod.push_back(mod);
  }

  const std::vector<std::string>& all_classes_;
  bool is_compat_;
  std::vector<Object> objects_;
  std::map<std::string, size_t> places_;
  std::vector<Other> others_;
  std::map<std::string, size_t> other_places_;
};

void ObjectStats::write(const fs::path& path,
                        std::vector<std::string>& log_lines,
                        std::string_view fill) {
  NonFinite non_finite = non_finite_of(is_compat_);
  SeedJson json(non_finite);
  for (const char* key : {"mod_single_object_acc",
                          "robustness_patch_mod_normalized_logits",
                          "difference_patch_mod_normalized_logits",
                          "object_counts",
                          "other_objects_drop",
                          "other_objects_drop_agg",
                          "other_objects_patch",
                          "other_objects_mod"}) {
    json.put_empty_object({key});
  }
  for (const Object& object : objects_) {
    json.put_float({"mod_single_object_acc", object.name}, object.mod_acc.value());
    json.put_float({"robustness_patch_mod_normalized_logits", object.name},
                   object.robustness.value());
    json.put_float({"difference_patch_mod_normalized_logits", object.name},
                   object.difference.value());
    json.put({"object_counts", object.name}, std::to_string(object.mod_acc.count));
    log_lines.push_back(
        fmt::format("{} object {}: mod accuracy {}, robustness {}, drop {} over {} groups",
                    fill,
                    object.name,
                    object.mod_acc.value(),
                    object.robustness.value(),
                    object.difference.value(),
                    object.mod_acc.count));
  }
  for (const Other& other : others_) {
    json.put({"other_objects_drop", other.name}, python_float_list(other.drops, non_finite));
    json.put_float({"other_objects_drop_agg", other.name}, other.drop.value());
    // The reference's key says patch; its values are gt's. The key stays.
    json.put({"other_objects_patch", other.name}, python_float_list(other.gt, non_finite));
    json.put({"other_objects_mod", other.name}, python_float_list(other.mod, non_finite));
  }
  json.write(path);
}

}  // namespace

void write_filler(const std::string& fill,
                  const std::vector<std::string>& all_classes,
                  const SeedRequest& request,
                  OutcomeReader& outcomes,
                  SeedReport& report) {
  NonFinite non_finite = non_finite_of(request.is_compat);
  SeedJson raw(non_finite);
  SeedJson aggregated(non_finite);
  ObjectStats objects(all_classes, request.is_compat);
  std::array<Mean, kNumColumns> means;
  for (const SeedColumn& column : kBeforeLists) raw.list({column.key});
  for (const char* key : kLists) raw.list({key});
  for (const SeedColumn& column : kAfterLists) raw.list({column.key});
  raw.list({"single_object"});
  raw.list({"other_objects"});
  auto add = [&](const SeedColumn& column, const StoredItem& item) {
    if (column.column == kAllObjectsAp && request.is_compat) return;
    double value = item.outcome.values[column.column];
    raw.add_float({column.key}, value);
    if (request.is_compat || std::isfinite(value)) means[column.column].add(value);
  };
  outcomes.for_each_scored(fill, [&](const StoredItem& item) {
    const Group group = group_of(item, all_classes.size(), request.is_compat);
    for (const SeedColumn& column : kBeforeLists) add(column, item);
    for (size_t image = 0; image < 3 && !request.is_compat; ++image) {
      raw.list({kLists[image]}).add(python_float_list(group.all_objects[image], non_finite));
    }
    for (const SeedColumn& column : kAfterLists) add(column, item);
    raw.list({"single_object"}).add(python_string(group.object));
    raw.list({"other_objects"}).add(python_string_list(group.other_objects));
    objects.add(item, group);
  });
  auto put = [&](const SeedColumn& column) {
    if (std::string_view(column.key).find("softmax") != std::string_view::npos) return;
    probe_b::put_mean(aggregated, fill, column.key, means[column.column], report);
  };
  for (const SeedColumn& column : kBeforeLists) put(column);
  for (const SeedColumn& column : kAfterLists) put(column);
  auto place = [&](const std::string& name) {
    report.files.push_back(report.results_folder / name);
    return request.folder / report.files.back();
  };
  raw.write(place(fmt::format("eval_cooccurence_{}_understanding.json", fill)));
  aggregated.write(place(fmt::format("eval_aggregated_cooccurence_{}_understanding.json", fill)));
  objects.write(place(fmt::format("eval_object_stats_{}_cooccurence_understanding.json", fill)),
                report.log_lines,
                fill);
}

}  // namespace snellen::tasks::probe_b_cooccurrence
