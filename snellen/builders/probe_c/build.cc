// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/build.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"

namespace snellen::builders::probe_c {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kImagesAtOnce = 128;

struct SplitFacts {
  SwitchSplit split;
  const char* file;
  const char* set;
  // groups, image slots, attributes, nouns
  std::array<const char*, 4> paper;
};

constexpr std::array kSplits = {
    SplitFacts{SwitchSplit::kComposition,
               "data_compositional_switch.json",
               "Probe-C composition",
               {"79,925", "40,681", "114", "2,462 (notes: 790)"}},
    SplitFacts{SwitchSplit::kObject,
               "data_object_switch.json",
               "Probe-C object",
               {"375,607 (notes: 385,580)", "59,205", "114 (notes: 116)", "2,462 (notes: 2,475)"}}};

// Which images, attributes and nouns the groups name.
struct Tally {
  uint64_t num_groups = 0;
  std::vector<uint8_t> images;
  std::vector<uint8_t> attributes;
  std::vector<uint8_t> nouns;

  explicit Tally(const CaptionIndex& index)
      : images(index.num_images()),
        attributes(index.lexicon().num_attributes()),
        nouns(index.lexicon().num_nouns()) {}

  void add(const SwitchGroup& group) {
    ++num_groups;
    images[group.image1] = images[group.image2] = 1;
    for (const Pair& pair : {group.pair1, group.pair2})
      attributes[pair.attribute] = nouns[pair.noun] = 1;
  }
  void add_counts(const SplitFacts& facts, std::vector<builders::Count>& counts) const {
    auto marked = [](const std::vector<uint8_t>& marks) {
      return static_cast<uint64_t>(std::count(marks.begin(), marks.end(), 1));
    };
    counts.push_back({facts.set, "groups", num_groups, facts.paper[0]});
    counts.push_back({facts.set, "images", marked(images), facts.paper[1]});
    counts.push_back({facts.set, "attributes", marked(attributes), facts.paper[2]});
    counts.push_back({facts.set, "nouns", marked(nouns), facts.paper[3]});
  }
};

Tally write_split(const CaptionIndex& index,
                  const Builder& builder,
                  const SplitFacts& facts,
                  const fs::path& out,
                  const builders::Workers& workers) {
  struct Made {
    std::string json;  // groups joined by ", "
    std::vector<SwitchGroup> groups;
  };
  uint64_t count = index.num_images();
  auto make = [&](uint64_t chunk) {
    Made made;
    uint64_t end = std::min(count, (chunk + 1) * kImagesAtOnce);
    for (uint64_t i = chunk * kImagesAtOnce; i < end; ++i) {
      for (const SwitchGroup& group : builder.groups(facts.split, static_cast<uint32_t>(i))) {
        if (!made.json.empty()) made.json += ", ";
        append_json(made.json, index, group);
        made.groups.push_back(group);
      }
    }
    return made;
  };
  AtomicFile file(out / facts.file);
  Tally tally(index);
  uint64_t num_done = 0;
  auto take = [&](Made&& made) {
    if (!made.json.empty()) {
      file.write(tally.num_groups == 0 ? "[" : ", ");
      file.write(made.json);
    }
    for (const SwitchGroup& group : made.groups) tally.add(group);
    num_done = std::min(count, num_done + kImagesAtOnce);
    workers.tell(facts.set, num_done, count);
  };
  ordered_pipeline<Made>(
      (count + kImagesAtOnce - 1) / kImagesAtOnce, workers.num_threads, make, take, [] {
        return false;
      });
  file.write(tally.num_groups == 0 ? "[]" : "]");
  file.commit();
  return tally;
}

}  // namespace

builders::BuildReport build(const fs::path& captions,
                            const NounSources& nouns,
                            const BuilderOptions& options,
                            const fs::path& out,
                            const builders::Workers& workers) {
  const FileLock lock =
      builders::open_output_folder(out, "probe-c", {kSplits[0].file, kSplits[1].file});
  builders::BuildReport report;
  WordLists lists = read_word_lists(nouns, workers, report.bad_records);
  Lexicon lexicon(lists.nouns, lists.compounds);
  annotations::CocoCaptionsFile file(captions);
  CaptionIndex index(file, lexicon, workers, report.bad_records);
  Builder builder(index, options);
  for (const SplitFacts& facts : kSplits) {
    write_split(index, builder, facts, out, workers).add_counts(facts, report.counts);
    report.files.push_back(out / facts.file);
  }
  builders::BuildRecord record{
      .builder = "probe-c",
      .options = {{"seed", std::to_string(options.seed)},
                  {"object-switch-per-pair", std::to_string(options.object_switch_per_pair)},
                  {"min-noun-images", std::to_string(nouns.min_images)}},
      .sources = {{"captions", builders::shown_path(captions)},
                  {"objects", builders::shown_path(nouns.objects)},
                  {"nouns", builders::shown_path(nouns.nouns)}}};
  builders::write_record(std::move(record), out, report);
  return report;
}

}  // namespace snellen::builders::probe_c
