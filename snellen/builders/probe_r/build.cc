// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/build.h"

#include <algorithm>
#include <exception>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"

namespace snellen::builders::probe_r {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kImagesAtOnce = 64;

struct Made {
  std::string json;  // entries joined by ", "
  std::vector<BuiltGroup> groups;
  std::vector<int64_t> skipped;
  uint64_t num_images = 0;
};

// What the groups amount to.
struct Tally {
  uint64_t num_groups = 0;
  std::vector<int64_t> skipped;
  std::vector<int64_t> images;  // in any role
  text::StringPool objects;
  text::StringPool relations;

  void add(const Made& made) {
    num_groups += made.groups.size();
    skipped.insert(skipped.end(), made.skipped.begin(), made.skipped.end());
    for (const BuiltGroup& group : made.groups) {
      const Relation& relation = group.relation;
      for (const std::string& name : {relation.subject, relation.object, relation.foil_subject})
        objects.add(name);
      for (const std::string& name : {relation.predicate, relation.foil_predicate})
        relations.add(name);
      images.push_back(group.image_id);
      images.insert(images.end(), group.positives.begin(), group.positives.end());
      images.insert(images.end(), group.negatives.begin(), group.negatives.end());
    }
  }

  std::vector<builders::Count> counts() {
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    return {{"Probe-R", "groups", num_groups, "99,960"},
            {"Probe-R", "images in any role", images.size(), "99,960"},
            {"Probe-R", "objects", objects.size(), "6,006"},
            {"Probe-R", "relations", relations.size(), "2,456 (notes: 2,546)"},
            {"Probe-R", "images without a group", skipped.size(), ""}};
  }
};

builders::BuildRecord record_of(const VisualGenome& sources, const BuilderOptions& options) {
  return {
      .builder = "probe-r",
      .options = {{"seed", std::to_string(options.seed)},
                  {"num-images", std::to_string(options.num_images)},
                  {"min-object-images", std::to_string(options.min_object_images)},
                  {"min-predicate-count", std::to_string(options.min_predicate_count)},
                  {"reserve-relcomp", options.reserves_relcomp ? "true" : "false"}},
      .sources = {{"relationships", builders::shown_path(sources.relationships)},
                  {"objects", builders::shown_path(sources.objects)},
                  {"object-aliases", builders::shown_path(sources.object_aliases)},
                  {"relationship-aliases", builders::shown_path(sources.relationship_aliases)}}};
}

}  // namespace

VisualGenome VisualGenome::in(const fs::path& folder) {
  auto if_there = [&](const char* name) {
    return fs::exists(folder / name) ? folder / name : fs::path();
  };
  return {.relationships = folder / "relationships.json",
          .objects = folder / "objects.json",
          .object_aliases = if_there("object_alias.txt"),
          .relationship_aliases = if_there("relationship_alias.txt")};
}

Corpus read_corpus(const VisualGenome& sources,
                   const builders::Workers& workers,
                   builders::BadRecords& bad) {
  for (const fs::path& file : {sources.relationships, sources.objects}) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) continue;
    throw Error{ErrorCode::kNotFound,
                "is not there",
                file.string(),
                "--visual-genome is the folder of Visual Genome's relationships.json and "
                "objects.json, unpacked"};
  }
  CorpusAliases aliases;
  if (!sources.object_aliases.empty())
    aliases.objects = annotations::NameAliases(sources.object_aliases);
  if (!sources.relationship_aliases.empty())
    aliases.relationships = annotations::NameAliases(sources.relationship_aliases);
  // Finding the records of a gigabyte takes a second or two: both files at once.
  std::optional<annotations::VgObjectsFile> objects;
  std::exception_ptr failure;
  std::jthread opening([&] {
    try {
      objects.emplace(sources.objects);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  annotations::VgRelationshipsFile relationships(sources.relationships);
  opening.join();
  if (failure) std::rethrow_exception(failure);
  return Corpus(relationships, *objects, aliases, workers, bad);
}

builders::BuildReport build(const VisualGenome& sources,
                            const BuilderOptions& options,
                            const fs::path& out,
                            const builders::Workers& workers) {
  const FileLock lock =
      builders::open_output_folder(out, "probe-r", {"relation_eval_subject.json"});
  builders::BuildReport report;
  Corpus corpus = read_corpus(sources, workers, report.bad_records);
  Builder builder(corpus, options);
  AtomicFile file(out / "relation_eval_subject.json");
  uint64_t num_chunks = (corpus.num_images() + kImagesAtOnce - 1) / kImagesAtOnce;
  auto make = [&](uint64_t chunk) {
    Made made;
    Builder::Scratch scratch;
    uint64_t end = std::min<uint64_t>((chunk + 1) * kImagesAtOnce, corpus.num_images());
    for (uint64_t i = chunk * kImagesAtOnce; i < end; ++i) {
      auto image = static_cast<uint32_t>(i);
      if (!builder.is_candidate(image)) continue;
      if (auto group = builder.group(image, scratch)) {
        if (!made.json.empty()) made.json += ", ";
        append_json(made.json, *group);
        made.groups.push_back(std::move(*group));
      } else {
        made.skipped.push_back(corpus.id(image));
      }
    }
    made.num_images = end - chunk * kImagesAtOnce;
    return made;
  };
  Tally tally;
  uint64_t num_done = 0;
  auto take = [&](Made&& made) {
    if (!made.json.empty()) {
      file.write(tally.num_groups == 0 ? "{" : ", ");
      file.write(made.json);
    }
    tally.add(made);
    num_done += made.num_images;
    workers.tell("making groups", num_done, corpus.num_images());
  };
  ordered_pipeline<Made>(num_chunks, workers.num_threads, make, take, [] { return false; });
  file.write(tally.num_groups == 0 ? "{}" : "}");
  file.commit();
  report.counts = tally.counts();
  builders::BuildRecord record = record_of(sources, options);
  record.skipped_image_ids = tally.skipped;
  report.files = {out / "relation_eval_subject.json"};
  builders::write_record(std::move(record), out, report);
  return report;
}

}  // namespace snellen::builders::probe_r
