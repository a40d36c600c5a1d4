// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/build.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/formats/csv.h"

namespace snellen::builders::probe_b {
namespace {

namespace fs = std::filesystem;

builders::BuildRecord record_of(const Sources& sources, const BuildOptions& options) {
  std::vector<std::string_view> fillers;
  for (media::Filler filler : options.fillers) fillers.push_back(media::name_of(filler));
  const PlanOptions& plan = options.plan;
  builders::BuildRecord::Entries sha256 = {{"instances", sha256_of_file(sources.instances)}};
  if (!sources.scene_list.empty())
    sha256.emplace_back("scene-list", sha256_of_file(sources.scene_list));
  return {.builder = "probe-b",
          .options = {{"seed", std::to_string(plan.seed)},
                      {"fill-type", fmt::format("{}", fmt::join(fillers, ","))},
                      {"format", options.format == PictureFormat::kJpeg ? "jpg" : "png"},
                      {"patch-scales", fmt::format("{}", fmt::join(plan.patch_scales, ","))},
                      {"min-background", fmt::format("{}", plan.min_background)},
                      {"min-object-area", fmt::format("{}", plan.min_object_area)},
                      {"max-object-area", fmt::format("{}", plan.max_object_area)}},
          .sources = {{"instances", builders::shown_path(sources.instances)},
                      {"images", builders::shown_path(sources.images)},
                      {"scenes", builders::shown_path(sources.scenes)},
                      {"scene-list", builders::shown_path(sources.scene_list)}},
          .sha256 = std::move(sha256),
          .is_complete = false};
}

constexpr const char* kBackgroundFile = "background_context_dataset.json";
constexpr const char* kCooccurrenceFile = "object_context_dataset.json";
constexpr const char* kPatchFile = "patch_rectangles.json";
constexpr const char* kClassFile = "prompt_classes.csv";

// A folder begun with the same settings is gone on with; any other is refused, or cleared of its
// pictures.
FileLock claim_folder(const builders::BuildRecord& record,
                      const BuildOptions& options,
                      const fs::path& out) {
  FileLock lock = builders::open_output_folder(out,
                                               "probe-b",
                                               {kBackgroundFile,
                                                kCooccurrenceFile,
                                                kPatchFile,
                                                kClassFile,
                                                kRemovedFolder,
                                                kPatchedFolder,
                                                kAloneFolder});
  // Without sources it is what open_output_folder() writes, now or for a build that was killed
  // then.
  if (const auto there = builders::BuildRecord::read(out); !there.sources.empty()) {
    std::string difference = there.first_difference(record);
    if (!difference.empty() && !options.overwrites) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("was built with other settings: {}", difference),
                  out.string(),
                  "name another folder with --out, or pass --overwrite"};
    }
    if (!difference.empty()) remove_pictures(out);
  }
  record.write(out);
  return lock;
}

struct Made {
  ImagePlan plan;
  std::optional<Error> failure;
};

// The files that name the groups, written as the images come.
class GroupFiles {
 public:
  explicit GroupFiles(const fs::path& out)
      : background_(out / kBackgroundFile),
        cooccurrence_(out / kCooccurrenceFile),
        patches_(out / kPatchFile) {}

  void add(const ImagePlan& plan) {
    const media::PatchPlace& place = plan.patch->place;
    append(background_, num_images_ == 0, '[', background_json(plan));
    append(patches_,
           num_images_ == 0,
           '{',
           fmt::format("\"{}\": [{}, {}, {}, {}]",
                       plan.image.id,
                       place.x,
                       place.y,
                       place.width,
                       place.height));
    ++num_images_;
    for (const PlannedClass& one : plan.classes) classes_.insert(one.name);
    std::string groups = cooccurrence_json(plan);
    if (groups.empty()) return;
    append(cooccurrence_, num_alone_ == 0, '[', groups);
    ++num_alone_images_;
    for (const PlannedClass& one : plan.classes) {
      if (!one.is_alone) continue;
      ++num_alone_;
      alone_classes_.insert(one.name);
    }
  }

  void commit() {
    background_.write(num_images_ == 0 ? "[]" : "]");
    cooccurrence_.write(num_alone_ == 0 ? "[]" : "]");
    patches_.write(num_images_ == 0 ? "{}" : "}");
    for (AtomicFile* file : {&background_, &cooccurrence_, &patches_}) file->commit();
  }

  std::vector<builders::Count> counts(size_t num_fillers) const {
    return {{"Probe-B_MR", "groups", num_images_, "31,745 (notes: 31,765)"},
            {"Probe-B_MR", "classes", classes_.size(), "80"},
            {"Probe-B_MR", "fillers", num_fillers, "4 (notes: 3)"},
            {"Probe-B_R", "groups", num_alone_, "9,375"},
            {"Probe-B_R", "images", num_alone_images_, "1,484 (notes: 2,259)"},
            {"Probe-B_R", "classes", alone_classes_.size(), "76 (notes: 79)"}};
  }

 private:
  static void append(AtomicFile& file, bool is_first, char bracket, const std::string& text) {
    file.write(is_first ? std::string(1, bracket) : ", ");
    file.write(text);
  }

  AtomicFile background_;
  AtomicFile cooccurrence_;
  AtomicFile patches_;
  uint64_t num_images_ = 0;
  uint64_t num_alone_ = 0;
  uint64_t num_alone_images_ = 0;
  std::set<std::string> classes_;
  std::set<std::string> alone_classes_;
};

// Every declared category in the order of its id; for COCO this is the published table.
void write_classes(const annotations::CocoInstances& instances, const fs::path& out) {
  std::string text = "class,prompt\n";
  for (const auto& [id, name] : instances.categories()) {
    text += fmt::format("{},{}\n",
                        formats::csv_field(name),
                        formats::csv_field(fmt::format("A photo of a {}.", name)));
  }
  write_text_file(out / kClassFile, text);
}

// Records are read where an image is planned. One that cannot be read because the file was cut
// meanwhile must not leave a picture behind, which a later build would keep.
void expect_as_long_as(uintmax_t size, const fs::path& file) {
  std::error_code code;
  if (fs::file_size(file, code) == size && !code) return;
  throw Error{ErrorCode::kIo,
              "was cut while it was read",
              file.string(),
              "bring the whole file back and build again: finished pictures are kept"};
}

}  // namespace

builders::BuildReport build(const Sources& sources,
                            const BuildOptions& options,
                            const fs::path& out,
                            const builders::Workers& workers) {
  builders::BuildReport report;
  std::error_code unreadable;  // which the reader tells
  const uintmax_t num_bytes = fs::file_size(sources.instances, unreadable);
  annotations::CocoInstances instances(sources.instances);
  report.bad_records.add(instances.bad_records());
  bool has_pictures = !sources.images.empty();
  bool needs_scenes = has_pictures && std::find(options.fillers.begin(),
                                                options.fillers.end(),
                                                media::Filler::kScene) != options.fillers.end();
  std::optional<Scenes> scenes;
  if (needs_scenes) scenes.emplace(sources.scenes, sources.scene_list);
  builders::BuildRecord record = record_of(sources, options);
  const FileLock lock = claim_folder(record, options, out);
  std::optional<PictureWriter> writer;
  if (has_pictures) {
    writer.emplace(
        out,
        PictureOptions{
            .seed = options.plan.seed, .fillers = options.fillers, .format = options.format},
        scenes ? &*scenes : nullptr);
  }
  auto make = [&](uint64_t image) {
    Made made{.plan = plan_image(instances, image, options.plan), .failure = {}};
    if (!made.plan.bad_records.empty()) expect_as_long_as(num_bytes, sources.instances);
    if (writer && made.plan.skip.empty()) {
      Result<size_t> written = writer->write(made.plan, sources.images);
      if (!written) made.failure = written.error();
    }
    return made;
  };
  GroupFiles files(out);
  std::map<std::string, uint64_t> skipped;
  uint64_t num_done = 0;
  auto take = [&](Made&& made) {
    report.bad_records.add(made.plan.bad_records);
    if (made.failure) {
      report.bad_records.add(*made.failure);
    } else if (made.plan.skip.empty()) {
      files.add(made.plan);
    } else {
      ++skipped[made.plan.skip];
      record.skipped_image_ids.push_back(made.plan.image.id);
    }
    workers.tell("making pictures", ++num_done, instances.images().size());
  };
  ordered_pipeline<Made>(
      instances.images().size(), workers.num_threads, make, take, [] { return false; });
  files.commit();
  write_classes(instances, out);
  report.counts = files.counts(options.fillers.size());
  for (const auto& [reason, count] : skipped)
    report.counts.push_back({"Probe-B", fmt::format("images left out: {}", reason), count, ""});
  for (const char* name : {kBackgroundFile, kCooccurrenceFile, kPatchFile, kClassFile})
    report.files.push_back(out / name);
  builders::write_record(record, out, report);
  return report;
}

}  // namespace snellen::builders::probe_b
