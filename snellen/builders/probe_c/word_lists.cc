// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/annotations/visual_genome/name_aliases.h"
#include "snellen/annotations/visual_genome/visual_genome.h"
#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/probe_c/build.h"

namespace snellen::builders::probe_c {
namespace {

constexpr uint64_t kImagesAtOnce = 256;

using Counts = std::unordered_map<std::string, uint64_t>;

// How many images of a stretch hold each single-word name.
struct Counted {
  Counts images;
  std::vector<Error> bad;
};

Counted count_names(const annotations::VgObjectsFile& file, uint64_t begin, uint64_t end) {
  Counted counted;
  std::vector<std::string> names;
  for (uint64_t i = begin; i < end; ++i) {
    Result<annotations::VgObjects> image = file.image(i);
    if (!image) {
      counted.bad.push_back(image.error());
      continue;
    }
    names.clear();
    for (const std::string& name : image->names) names.push_back(annotations::normal_name(name));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names) {
      if (!name.empty() && name.find(' ') == std::string::npos) ++counted.images[name];
    }
  }
  return counted;
}

void add_names_of_objects(const NounSources& sources,
                          const builders::Workers& workers,
                          builders::BadRecords& bad,
                          WordLists& lists) {
  annotations::VgObjectsFile file(sources.objects);
  uint64_t count = file.elements().size();
  Counts totals;
  uint64_t num_done = 0;
  ordered_pipeline<Counted>((count + kImagesAtOnce - 1) / kImagesAtOnce,
                            workers.num_threads,
                            [&](uint64_t chunk) {
                              uint64_t begin = chunk * kImagesAtOnce;
                              return count_names(
                                  file, begin, std::min(count, begin + kImagesAtOnce));
                            },
                            [&](Counted&& counted) {
                              for (const auto& [name, images] : counted.images)
                                totals[name] += images;
                              bad.add(counted.bad);
                              num_done = std::min(count, num_done + kImagesAtOnce);
                              workers.tell("reading nouns", num_done, count);
                            },
                            [] { return false; });
  for (const auto& [name, images] : totals) {
    if (images >= sources.min_images) lists.nouns.push_back(name);
  }
  // A hash map has no order of its own.
  std::sort(lists.nouns.begin(), lists.nouns.end());
}

void add(WordLists& lists, const std::string& name) {
  auto num_blanks = std::count(name.begin(), name.end(), ' ');
  if (num_blanks == 0) lists.nouns.push_back(name);
  if (num_blanks == 1) lists.compounds.push_back(name);
}

}  // namespace

WordLists read_word_lists(const NounSources& sources,
                          const builders::Workers& workers,
                          builders::BadRecords& bad) {
  WordLists lists;
  annotations::ClassTable coco = annotations::ClassTable::coco();
  if (!sources.nouns.empty()) {
    std::string text = read_text_file(sources.nouns);
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      std::string name = annotations::normal_name(std::string_view(text).substr(at, end - at));
      if (!name.empty()) add(lists, name);
      at = end + 1;
    }
    for (size_t i = 0; i < coco.size(); ++i) {
      if (coco[i].name.find(' ') != std::string::npos) add(lists, coco[i].name);
    }
    return lists;
  }
  if (sources.objects.empty()) {
    throw Error{ErrorCode::kNotFound,
                "no nouns: Probe-C needs a noun lexicon",
                "--objects, --nouns",
                "pass --objects objects.json of Visual Genome, or --nouns FILE with a noun a line"};
  }
  add_names_of_objects(sources, workers, bad, lists);
  for (size_t i = 0; i < coco.size(); ++i) add(lists, coco[i].name);
  return lists;
}

}  // namespace snellen::builders::probe_c
