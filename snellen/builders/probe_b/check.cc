// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/check.h"

#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/coco/coco_instances.h"
#include "snellen/annotations/probe/probe_files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/probe_b/image_check.h"
#include "snellen/builders/probe_b/truth.h"
#include "snellen/media/codecs/decode.h"

namespace snellen::builders::probe_b {
namespace {

namespace fs = std::filesystem;
using builders::CheckReport;

// The groups of a set, by image.
struct BuiltSet {
  explicit BuiltSet(const fs::path& folder)
      : background(folder / "background_context_dataset.json"),
        alone(folder / "object_context_dataset.json"),
        patches(folder / "patch_rectangles.json") {}

  annotations::BackgroundFile background;
  annotations::CooccurrenceFile alone;
  formats::JsonElements patches;
  std::map<int64_t, std::vector<int64_t>> patch_of;
  std::map<int64_t, std::vector<annotations::CooccurrenceGroup>> alone_of;

  // Reads the small files; says what cannot be read.
  void index(CheckReport& report) {
    for (size_t i = 0; i < patches.size(); ++i) {
      std::vector<int64_t> numbers;
      // Without the opening bracket; a number ends where its digits end.
      for (double number : numbers_in(patches.element(i).substr(1)))
        numbers.push_back(static_cast<int64_t>(number));
      for (double id : numbers_in(patches.key(i))) patch_of[static_cast<int64_t>(id)] = numbers;
    }
    for (size_t i = 0; i < alone.elements().size(); ++i) {
      ++report.num_groups;
      Result<annotations::CooccurrenceGroup> group = alone.group(i);
      if (group) {
        int64_t image = group->image_id;
        alone_of[image].push_back(std::move(group).value());
      } else {
        report.add({alone.elements().where(i), "unreadable", group.error().message()});
      }
    }
  }
};

// Everything a worker needs; const methods are safe from many threads.
class Checker {
 public:
  Checker(const fs::path& folder, const builders::BuildRecord& record, const CheckOptions& options)
      : folder_(folder),
        rules_(rules_of(record)),
        source_(record.source("instances")),
        images_(record.source("images")),
        with_pixels_(options.with_pixels && !images_.empty()) {
    for (size_t i = 0; i < source_.images().size(); ++i) places_[source_.images()[i].id] = i;
    if (with_pixels_ && !record.source("scenes").empty())
      scenes_.emplace(record.source("scenes"), record.source("scene-list"));
  }

  CheckReport check(const BuiltSet& set, uint64_t i) {
    CheckReport part;
    ++part.num_groups;
    std::string where = set.background.elements().where(i);
    Result<annotations::BackgroundGroup> group = set.background.group(i);
    if (!group) {
      part.add({where, "unreadable", group.error().message()});
      return part;
    }
    auto place = places_.find(group->image_id);
    if (place == places_.end()) {
      part.add({where, "image-unknown", "is not in the source"});
      return part;
    }
    Truth truth = truth_of(source_, place->second);
    ImageCheck one(truth, rules_, folder_, part);
    one.check_background(*group, set.background.elements().element(i));
    auto patch = set.patch_of.find(group->image_id);
    one.check_patch(patch == set.patch_of.end() ? std::vector<int64_t>() : patch->second);
    auto alone = set.alone_of.find(group->image_id);
    if (alone != set.alone_of.end()) {
      for (const annotations::CooccurrenceGroup& of_object : alone->second)
        one.check_alone(of_object);
    }
    if (!images_.empty()) check_pictures(truth, one, part);
    return part;
  }

 private:
  void check_pictures(const Truth& truth, ImageCheck& one, CheckReport& part) {
    if (!with_pixels_) return one.check_pictures(nullptr, nullptr);
    Result<media::Image> picture = media::read_image(images_ / truth.image.file_name);
    if (!picture) {
      part.add({truth.image.file_name, "source-unreadable", picture.error().message()});
      return;
    }
    one.check_pictures(&*picture, scenes_ ? &*scenes_ : nullptr);
  }

  fs::path folder_;
  Rules rules_;
  annotations::CocoInstances source_;
  fs::path images_;
  bool with_pixels_;
  std::map<int64_t, size_t> places_;
  std::optional<Scenes> scenes_;
};

// What only shows when all groups are seen together.
void check_whole(const BuiltSet& set, CheckReport& report) {
  std::set<int64_t> seen;
  for (uint64_t i = 0; i < set.background.elements().size(); ++i) {
    Result<annotations::BackgroundGroup> group = set.background.group(i);
    if (group && !seen.insert(group->image_id).second)
      report.add({set.background.elements().where(i), "image-twice", "this image has two groups"});
  }
  for (const auto& [id, groups] : set.alone_of) {
    if (!seen.contains(id)) {
      report.add({fmt::format("object_context_dataset.json: image {}", id),
                  "image-not-kept",
                  "it is no group of Probe-B_MR"});
    }
  }
}

}  // namespace

CheckReport check(const fs::path& folder,
                  const builders::BuildRecord& record,
                  const CheckOptions& options,
                  const builders::Workers& workers) {
  CheckReport report;
  BuiltSet set(folder);
  set.index(report);
  Checker checker(folder, record, options);
  uint64_t count = set.background.elements().size();
  uint64_t num_done = 0;
  ordered_pipeline<CheckReport>(
      count,
      workers.num_threads,
      [&](uint64_t i) { return checker.check(set, i); },
      [&](CheckReport&& part) {
        report.add(std::move(part));
        workers.tell("checking pictures", ++num_done, count);
      },
      [] { return false; });
  check_whole(set, report);
  return report;
}

}  // namespace snellen::builders::probe_b
