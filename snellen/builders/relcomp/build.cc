// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/relcomp/build.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/base/files.h"
#include "snellen/base/json_object.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders::relcomp {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kImagesAtOnce = 128;

using Ids = std::unordered_set<int64_t>;

// Ids of the list "images" of any COCO file.
Ids ids_of_images(const fs::path& path) {
  formats::JsonElements elements(path, "images");
  Ids ids;
  for (size_t i = 0; i < elements.size(); ++i) {
    Result<simdjson::dom::object> image =
        annotations::parse_object(elements.element(i), elements.where(i));
    std::optional<int64_t> id = annotations::integer_in(image.value(), "id");
    if (!id) throw annotations::bad_record("'id' is not a whole number", elements.where(i));
    ids.insert(*id);
  }
  return ids;
}

// Where Visual Genome and COCO show the same photo.
struct SharedPhotos {
  Ids coco;    // COCO's ids of those of train2014: no compositional sample may show these
  Ids genome;  // Visual Genome's ids of those that a probe shows, in val2014 or by another id
};

SharedPhotos shared_photos(const fs::path& image_data, const Ids& val, builders::BadRecords& bad) {
  annotations::VgImageFile file(image_data);
  std::vector<annotations::VgImage> images;
  SharedPhotos shared;
  Ids of_probe_r;
  for (size_t i = 0; i < file.elements().size(); ++i) {
    Result<annotations::VgImage> image = file.image(i);
    if (!image) {
      bad.add(image.error());
    } else if (image->coco_id) {
      // Captions of val2014 are refused, not left out.
      if (!val.contains(*image->coco_id)) shared.coco.insert(*image->coco_id);
      if (builders::is_reserved_for_relcomp(image->image_id))
        images.push_back(*image);
      else
        of_probe_r.insert(*image->coco_id);
    }
  }
  for (const annotations::VgImage& image : images) {
    if (val.contains(*image.coco_id) || of_probe_r.contains(*image.coco_id))
      shared.genome.insert(image.image_id);
  }
  return shared;
}

// Lines of the two splits.
struct Lines {
  std::string train;
  std::string val;
  uint64_t num_train = 0;
  uint64_t num_val = 0;

  void add(const JsonObject& object, bool is_training) {
    const std::string line = object.as_ascii().text + "\n";
    (is_training ? train : val) += line;
    ++(is_training ? num_train : num_val);
  }
};

class Writer {
 public:
  explicit Writer(const fs::path& out)
      : train_(out / "relcomp_train.jsonl"), val_(out / "relcomp_val.jsonl") {}

  // Makes lines for 0..count-1 on several threads and writes them in order.
  void write(const std::string& step,
             uint64_t count,
             const builders::Workers& workers,
             const std::function<void(uint64_t, Lines&)>& make_one) {
    Lines total;
    uint64_t num_done = 0;
    ordered_pipeline<Lines>((count + kImagesAtOnce - 1) / kImagesAtOnce,
                            workers.num_threads,
                            [&](uint64_t chunk) {
                              Lines lines;
                              uint64_t end = std::min(count, (chunk + 1) * kImagesAtOnce);
                              for (uint64_t i = chunk * kImagesAtOnce; i < end; ++i)
                                make_one(i, lines);
                              return lines;
                            },
                            [&](Lines&& lines) {
                              train_.write(lines.train);
                              val_.write(lines.val);
                              total.num_train += lines.num_train;
                              total.num_val += lines.num_val;
                              num_done = std::min(count, num_done + kImagesAtOnce);
                              workers.tell(step, num_done, count);
                            },
                            [] { return false; });
    add_count(step + ", train", total.num_train);
    add_count(step + ", val", total.num_val);
  }

  void add_count(std::string what, uint64_t number) {
    counts_.push_back({"RelComp", std::move(what), number, ""});
  }
  void commit() {
    train_.commit();
    val_.commit();
  }
  const std::vector<builders::Count>& counts() const { return counts_; }

 private:
  AtomicFile train_;
  AtomicFile val_;
  std::vector<builders::Count> counts_;
};

void add_compositional(const probe_c::CaptionIndex& index,
                       const probe_c::SwitchGroup& group,
                       const char* source,
                       Lines& lines) {
  int64_t first = index.id(group.image1);
  int64_t second = index.id(group.image2);
  bool is_training = builders::is_in_training_split(first);
  if (is_training != builders::is_in_training_split(second)) return;
  lines.add({{"task", "comp"},
             {"img1_id", first},
             {"img2_id", second},
             {"prompt1", probe_c::prompt_of(index.lexicon(), group.pair1)},
             {"prompt2", probe_c::prompt_of(index.lexicon(), group.pair2)},
             {"source", source}},
            is_training);
}

void add_relational(int64_t image_id, const probe_r::Relation& relation, Lines& lines) {
  lines.add({{"task", "rel"},
             {"image_id", image_id},
             {"prompt_pos", relation.prompt()},
             {"prompt_neg_predicate", relation.foil_predicate_prompt()},
             {"prompt_neg_subject", relation.foil_subject_prompt()},
             {"source", "visual-genome"}},
            builders::is_in_training_split(image_id));
}

void refuse_val_images(const probe_c::CaptionIndex& index, const Ids& val, const fs::path& path) {
  for (uint32_t image = 0; image < index.num_images(); ++image) {
    if (!val.contains(index.id(image))) continue;
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("holds image {} of val2014, which the probes use", index.id(image)),
                path.string(),
                "pass captions_train2014.json with --captions"};
  }
}

builders::BuildRecord record_of(const Sources& sources, const Options& options) {
  using builders::shown_path;
  const probe_r::VisualGenome& genome = sources.visual_genome;
  return {.builder = "relcomp",
          .options = {{"seed", std::to_string(options.seed)},
                      {"object-switch-per-pair", std::to_string(options.object_switch_per_pair)},
                      {"min-object-images", std::to_string(options.min_object_images)},
                      {"min-predicate-count", std::to_string(options.min_predicate_count)},
                      {"min-noun-images", std::to_string(sources.nouns.min_images)}},
          .sources = {{"captions", shown_path(sources.captions)},
                      {"nouns", shown_path(sources.nouns.nouns)},
                      {"relationships", shown_path(genome.relationships)},
                      {"objects", shown_path(genome.objects)},
                      {"object-aliases", shown_path(genome.object_aliases)},
                      {"relationship-aliases", shown_path(genome.relationship_aliases)},
                      {"image-data", shown_path(sources.image_data)},
                      {"coco-val", shown_path(sources.coco_val)}}};
}

void write_compositional(const Sources& sources,
                         const Options& options,
                         const Ids& val,
                         const Ids& left_out,
                         const builders::Workers& workers,
                         builders::BadRecords& bad,
                         Writer& writer) {
  probe_c::WordLists lists = probe_c::read_word_lists(sources.nouns, workers, bad);
  probe_c::Lexicon lexicon(lists.nouns, lists.compounds);
  probe_c::CaptionIndex index(
      annotations::CocoCaptionsFile(sources.captions), lexicon, workers, bad, left_out);
  refuse_val_images(index, val, sources.captions);
  writer.add_count("photos of Visual Genome left out", index.num_left_out());
  probe_c::Builder builder(
      index, {.seed = options.seed, .object_switch_per_pair = options.object_switch_per_pair});
  auto write = [&](const char* step, const char* source, probe_c::SwitchSplit split) {
    writer.write(step, index.num_images(), workers, [&](uint64_t image, Lines& lines) {
      for (const probe_c::SwitchGroup& group : builder.groups(split, static_cast<uint32_t>(image)))
        add_compositional(index, group, source, lines);
    });
  };
  write("composition samples", "coco-composition", probe_c::SwitchSplit::kComposition);
  write("object samples", "coco-object", probe_c::SwitchSplit::kObject);
}

}  // namespace

builders::BuildReport build(const Sources& sources,
                            const Options& options,
                            const fs::path& out,
                            const builders::Workers& workers) {
  const FileLock lock =
      builders::open_output_folder(out, "relcomp", {"relcomp_train.jsonl", "relcomp_val.jsonl"});
  builders::BuildReport report;
  Ids val = ids_of_images(sources.coco_val);
  const SharedPhotos shared = shared_photos(sources.image_data, val, report.bad_records);
  Writer writer(out);
  write_compositional(sources, options, val, shared.coco, workers, report.bad_records, writer);
  probe_r::Corpus corpus = probe_r::read_corpus(sources.visual_genome, workers, report.bad_records);
  probe_r::Builder builder(corpus,
                           {.seed = options.seed,
                            .min_object_images = options.min_object_images,
                            .min_predicate_count = options.min_predicate_count});
  writer.write("relational samples", corpus.num_images(), workers, [&](uint64_t i, Lines& lines) {
    auto image = static_cast<uint32_t>(i);
    int64_t id = corpus.id(image);
    if (!builders::is_reserved_for_relcomp(id) || shared.genome.contains(id)) return;
    if (auto relation = builder.relation(image)) add_relational(id, *relation, lines);
  });
  writer.commit();
  report.counts = writer.counts();
  report.files = {out / "relcomp_train.jsonl", out / "relcomp_val.jsonl"};
  builders::write_record(record_of(sources, options), out, report);
  return report;
}

}  // namespace snellen::builders::relcomp
