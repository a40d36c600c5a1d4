// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/relcomp/build.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/python_json.h"
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

// Visual Genome images whose photo is in val2014.
Ids images_of_val(const fs::path& image_data, const Ids& val, builders::BadRecords& bad) {
  annotations::VgImageFile file(image_data);
  Ids images;
  for (size_t i = 0; i < file.elements().size(); ++i) {
    Result<annotations::VgImage> image = file.image(i);
    if (!image) {
      bad.add(image.error());
    } else if (image->coco_id && val.contains(*image->coco_id)) {
      images.insert(image->image_id);
    }
  }
  return images;
}

// Lines of the two splits.
struct Lines {
  std::string train;
  std::string val;
  uint64_t num_train = 0;
  uint64_t num_val = 0;

  void add(const std::string& line, bool is_training) {
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
    counts_.push_back({"RelComp", step + ", train", total.num_train, ""});
    counts_.push_back({"RelComp", step + ", val", total.num_val, ""});
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
  lines.add(fmt::format("{{\"task\": \"comp\", \"img1_id\": {}, \"img2_id\": {}, \"prompt1\": {}, "
                        "\"prompt2\": {}, \"source\": \"{}\"}}\n",
                        first,
                        second,
                        python_string(probe_c::prompt_of(index.lexicon(), group.pair1)),
                        python_string(probe_c::prompt_of(index.lexicon(), group.pair2)),
                        source),
            is_training);
}

void add_relational(int64_t image_id, const probe_r::Relation& relation, Lines& lines) {
  lines.add(fmt::format("{{\"task\": \"rel\", \"image_id\": {}, \"prompt_pos\": {}, "
                        "\"prompt_neg_predicate\": {}, \"prompt_neg_subject\": {}, "
                        "\"source\": \"visual-genome\"}}\n",
                        image_id,
                        python_string(relation.prompt()),
                        python_string(relation.foil_predicate_prompt()),
                        python_string(relation.foil_subject_prompt())),
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
                         const builders::Workers& workers,
                         builders::BadRecords& bad,
                         Writer& writer) {
  probe_c::WordLists lists = probe_c::read_word_lists(sources.nouns, workers, bad);
  probe_c::Lexicon lexicon(lists.nouns, lists.compounds);
  probe_c::CaptionIndex index(
      annotations::CocoCaptionsFile(sources.captions), lexicon, workers, bad);
  refuse_val_images(index, val, sources.captions);
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
  const FileLock lock = builders::open_output_folder(out);
  builders::BuildReport report;
  Ids val = ids_of_images(sources.coco_val);
  Ids dropped = images_of_val(sources.image_data, val, report.bad_records);
  Writer writer(out);
  write_compositional(sources, options, val, workers, report.bad_records, writer);
  probe_r::Corpus corpus = probe_r::read_corpus(sources.visual_genome, workers, report.bad_records);
  probe_r::Builder builder(corpus,
                           {.seed = options.seed,
                            .min_object_images = options.min_object_images,
                            .min_predicate_count = options.min_predicate_count});
  writer.write("relational samples", corpus.num_images(), workers, [&](uint64_t i, Lines& lines) {
    auto image = static_cast<uint32_t>(i);
    int64_t id = corpus.id(image);
    if (!builders::is_reserved_for_relcomp(id) || dropped.contains(id)) return;
    if (auto relation = builder.relation(image)) add_relational(id, *relation, lines);
  });
  writer.commit();
  report.counts = writer.counts();
  report.files = {out / "relcomp_train.jsonl", out / "relcomp_val.jsonl"};
  builders::write_record(record_of(sources, options), out, report);
  return report;
}

}  // namespace snellen::builders::relcomp
