// SPDX-License-Identifier: Apache-2.0
// The files of a tree that need no step.
#include <fmt/format.h>

#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/bias_scene.h"
#include "snellen/eyechart/world/contrast_items.h"
#include "snellen/eyechart/write/coco_rows.h"
#include "snellen/eyechart/write/genome_rows.h"
#include "snellen/eyechart/write/tree.h"

namespace snellen::eyechart {
namespace {

// From the tree's root.
std::string picture_of(uint64_t id) {
  const Source source = source_of(id);
  if (source == Source::kGenome) return fmt::format("visual_genome/VG_100K/{}.jpg", genome_id(id));
  const std::string split = coco_split_of(source);
  return fmt::format("coco/{}/{}", split, coco_file_name(split, id));
}

}  // namespace

void Tree::finish() {
  for (auto& [file, stream] : streams_) {
    stream->finish();
    ++num_files_;
  }
  train_dialogs_->finish();
  val_dialogs_->finish();
  num_files_ += 6;
  write_fixed_files();
  write_splits();
  write_counting_sources();
  write_rare_sources();
  write_contrasts(direction_task(), size_.direction_pairs);
  write_contrasts(binding_task(), size_.binding_pairs);
}

void Tree::write_fixed_files() {
  write_text_file(out_ / "visual_genome/object_alias.txt", genome_object_aliases());
  write_text_file(out_ / "visual_genome/relationship_alias.txt", genome_relationship_aliases());
  AtomicFile questions(out_ / "bias/questions.jsonl");
  for (uint64_t i = 0; i < size_.bias_pictures; ++i) {
    for (const std::string& line : draw_bias_picture(seed_, i).control_lines) questions.write(line);
  }
  questions.commit();
  num_files_ += 3;
}

// Pictures to learn from, to choose settings on, and to report on; no scene is in two of them.
void Tree::write_splits() {
  AtomicFile train(out_ / "splits/train.txt");
  AtomicFile val(out_ / "splits/val.txt");
  AtomicFile test(out_ / "splits/test.txt");
  for (uint64_t id = 1; id <= size_.scenes; ++id) {
    const bool is_val = id % 10 == 3 || id % 10 == 6;
    (source_of(id) == Source::kCocoTrain ? train
     : is_val                            ? val
                                         : test)
        .write(picture_of(id) + "\n");
  }
  train.commit();
  val.commit();
  test.commit();
  num_files_ += 3;
}

void Tree::write_contrasts(const ContrastTask& task, uint64_t num_pairs) {
  AtomicFile items(out_ / "contrasts" / fmt::format("{}.jsonl", task.name));
  items.write(json_object({{"name", task.name}, {"metric", "pairwise"}}).text + "\n");
  for (uint64_t i = 0; i < num_pairs; ++i) items.write(task.draw(seed_, i).lines);
  items.commit();
  ++num_files_;
}

void Tree::write_counting_sources() {
  JsonStream templates(out_ / "vilma/quva-templates.json", "{\n", "\n}\n");
  JsonStream processed(out_ / "vilma/quva-templates-processed.json", "{\n", "\n}\n");
  JsonStream foils(out_ / "vilma/quva-proficiency-foils.json", "{\n", "\n}\n");
  for (uint64_t i = 0; i < size_.counting_clips; ++i) {
    const vilma::CountingSources sources = vilma::counting_sources(seed_, i);
    templates.add(sources.templates);
    processed.add(sources.processed);
    foils.add(sources.foils);
  }
  templates.finish();
  processed.finish();
  foils.finish();
  num_files_ += 3;
}

void Tree::write_rare_sources() {
  std::string rows(vilma::kRareActColumns);
  for (uint64_t i = 0; i < size_.rare_clips; ++i) rows += vilma::rareact_line(seed_, i);
  write_text_file(out_ / "vilma/rareact.csv", rows);
  write_text_file(out_ / "vilma/rare-action-candidates.json", vilma::rare_candidates());
  num_files_ += 2;
}

}  // namespace snellen::eyechart
