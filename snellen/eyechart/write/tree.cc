// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/tree.h"

#include <array>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/bias_scene.h"
#include "snellen/eyechart/world/contrast_items.h"
#include "snellen/eyechart/world/render.h"
#include "snellen/eyechart/write/clip_file.h"
#include "snellen/eyechart/write/coco_rows.h"
#include "snellen/eyechart/write/genome_rows.h"
#include "snellen/media/codecs/encode.h"

namespace snellen::eyechart {
namespace {

namespace fs = std::filesystem;

// Raised when the same seed gives other pictures or texts than before.
constexpr int kWorldVersion = 2;

constexpr std::array<std::string_view, 13> kVilmaFiles = {"counting-easy-spelled-pts.json",
                                                          "counting-easy-spelled-sec.json",
                                                          "counting-hard-spelled-pts.json",
                                                          "counting-hard-spelled-sec.json",
                                                          "SRL_Action_Replacement_Top_1000.json",
                                                          "SRL_Actor_Swapping.json",
                                                          "change-state-action.json",
                                                          "change-state-prestate.json",
                                                          "change-state-poststate.json",
                                                          "change-state-inverse.json",
                                                          "rare-actions-verb-foils.json",
                                                          "rare-actions-noun-foils.json",
                                                          "relations.json"};

constexpr std::array<std::string_view, 17> kFolders = {"coco/annotations",
                                                       "coco/train2014",
                                                       "coco/val2014",
                                                       "visual_genome/VG_100K",
                                                       "scenes",
                                                       "vilma/QUVA/normalized_videos",
                                                       "vilma/QUVA/normalized_annotations",
                                                       "vilma/youtube",
                                                       "vilma/something-something-v2",
                                                       "vilma/star",
                                                       "visdial/VisualDialog_train2018",
                                                       "visdial/VisualDialog_val2018",
                                                       "bias/close-ended/images",
                                                       "bias/open_ended/shirt_colour/images",
                                                       "contrasts/direction",
                                                       "contrasts/binding",
                                                       "splits"};

constexpr std::array<std::string_view, 4> kGenomeFiles = {
    "objects.json", "relationships.json", "attributes.json", "image_data.json"};

void make_folder(const fs::path& path) {
  std::error_code problem;
  fs::create_directories(path, problem);
  if (problem) {
    throw Error{ErrorCode::kIo,
                fmt::format("cannot be made: {}", problem.message()),
                path.string(),
                "choose a folder that can be written"};
  }
}

// Which world a folder holds. Two in one folder would be a mixture of both.
void stamp(const fs::path& root, uint64_t seed, const TreeSize& size) {
  const std::string text = json_object({{"world", kWorldVersion},
                                        {"seed", seed},
                                        {"scenes", size.scenes},
                                        {"backdrops", size.backdrops},
                                        {"clips", size.clips()},
                                        {"bias_pictures", size.bias_pictures},
                                        {"contrast_pairs", size.contrast_pairs()}})
                               .text +
                           "\n";
  const fs::path path = root / "eyechart.json";
  if (fs::exists(path) && read_text_file(path) != text) {
    throw Error{ErrorCode::kInvalidInput,
                "holds another world",
                path.string(),
                "name an empty folder, or the seed and size of this one"};
  }
  write_text_file(path, text);
}

}  // namespace

Tree::Tree(fs::path out, uint64_t seed, const TreeSize& size)
    : out_(std::move(out)), seed_(seed), size_(size) {
  make_folder(out_);
  lock_.emplace(out_ / "build.lock", "wait for it, or name another folder");
  stamp(out_, seed, size);
  std::set<fs::path> folders(kFolders.begin(), kFolders.end());
  for (const std::string& file : bias_files())
    folders.insert((fs::path("bias") / file).parent_path());
  // The folders above them hold files too; only the top may hold what others are writing.
  for (const fs::path& folder : std::set<fs::path>(folders)) {
    for (fs::path above = folder.parent_path(); !above.empty(); above = above.parent_path())
      folders.insert(above);
  }
  for (const fs::path& folder : folders) {
    make_folder(out_ / folder);
    remove_half_written_in(out_ / folder);
  }
  remove_half_written_in(out_, "eyechart.json");
  num_files_ = 1;
  open_streams();
}

Tree::~Tree() = default;

void Tree::open_streams() {
  auto open = [&](const std::string& file, std::string_view head, std::string tail) {
    streams_[file] = std::make_unique<JsonStream>(out_ / file, head, std::move(tail));
  };
  for (const Source source : {Source::kCocoTrain, Source::kCocoVal}) {
    // The images come first and need no picture; the annotations follow as they are made.
    std::string head = coco_head();
    bool is_first = true;
    for (uint64_t id = 1; id <= size_.scenes; ++id) {
      if (source_of(id) != source) continue;
      head +=
          (std::exchange(is_first, false) ? "" : ",\n") + coco_image_row(coco_split_of(source), id);
    }
    head += "\n],\n\"annotations\": [\n";
    open(fmt::format("coco/annotations/instances_{}.json", coco_split_of(source)),
         head,
         coco_instances_tail());
    open(fmt::format("coco/annotations/captions_{}.json", coco_split_of(source)),
         head,
         coco_captions_tail());
  }
  for (const std::string_view file : kGenomeFiles)
    open(fmt::format("visual_genome/{}", file), "[\n", "\n]\n");
  for (const std::string_view file : kVilmaFiles)
    open(fmt::format("vilma/{}", file), "{\n", "\n}\n");
  for (const std::string& file : bias_files()) open("bias/" + file, "[\n", "\n]\n");
  train_dialogs_ = std::make_unique<VisdialFiles>(out_ / "visdial", "train");
  val_dialogs_ = std::make_unique<VisdialFiles>(out_ / "visdial", "val");
}

uint64_t Tree::num_steps() const {
  return size_.clips() + size_.scenes + size_.contrast_pairs() + size_.backdrops +
         size_.bias_pictures;
}

Tree::Made Tree::make(uint64_t step) const {
  // Clips first: they take longest, and would else run alone at the end.
  if (step < size_.clips()) return make_clip(step);
  step -= size_.clips();
  if (step < size_.scenes) return make_scene(step + 1);
  step -= size_.scenes;
  if (step < size_.direction_pairs) return make_contrast(direction_task(), step);
  step -= size_.direction_pairs;
  if (step < size_.binding_pairs) return make_contrast(binding_task(), step);
  step -= size_.binding_pairs;
  if (step < size_.backdrops) return make_backdrop(step);
  return make_bias_picture(step - size_.backdrops);
}

// How many scenes of the same COCO split come before.
uint64_t Tree::rank_in_source(uint64_t id) const {
  // Ids begin with 1, so the first ten have two train scenes.
  return id / 10 * 3 + id % 10 - (source_of(id) == Source::kCocoTrain ? 1 : 3);
}

Tree::Made Tree::make_scene(uint64_t id) const {
  const Scene scene = draw_scene(rules_of(seed_, id), id);
  const Picture picture = render(scene);
  const std::string jpeg = media::encode_jpeg(picture.image);
  const Source source = source_of(id);
  Made made;
  made.scene_id = id;
  auto write = [&](const std::string& file) {
    write_text_file(out_ / file, jpeg, Sync::kLater);
    ++made.num_files;
  };
  if (source != Source::kGenome) {
    const std::string split = coco_split_of(source);
    write(fmt::format("coco/{}/{}", split, coco_file_name(split, id)));
    for (std::string& row : coco_instance_rows(scene, picture)) {
      made.rows.push_back(
          {fmt::format("coco/annotations/instances_{}.json", split), std::move(row)});
    }
    for (std::string& row : coco_caption_rows(scene, seed_)) {
      made.rows.push_back(
          {fmt::format("coco/annotations/captions_{}.json", split), std::move(row)});
    }
    const std::string dialog_split = source == Source::kCocoTrain ? "train" : "val";
    const uint64_t wanted = source == Source::kCocoTrain ? size_.train_dialogs : size_.val_dialogs;
    if (rank_in_source(id) < wanted) {
      made.dialog = draw_dialog(scene, seed_);
      write(fmt::format("visdial/VisualDialog_{}2018/{}",
                        dialog_split,
                        VisdialFiles::picture_name(dialog_split, id)));
    }
  }
  if (is_in_genome(id)) {
    write(fmt::format("visual_genome/VG_100K/{}.jpg", genome_id(id)));
    const bool is_shared = source != Source::kGenome;
    GenomeRows rows =
        genome_rows(scene, picture, seed_, is_shared ? std::optional(id) : std::nullopt);
    made.rows.push_back({"visual_genome/objects.json", std::move(rows.objects)});
    made.rows.push_back({"visual_genome/relationships.json", std::move(rows.relationships)});
    made.rows.push_back({"visual_genome/attributes.json", std::move(rows.attributes)});
    made.rows.push_back({"visual_genome/image_data.json", std::move(rows.image_data)});
  }
  return made;
}

Tree::Made Tree::make_backdrop(uint64_t index) const {
  Rng rng = Rng(seed_).fork("eyechart-backdrop").fork(index);
  Backdrop backdrop = draw_backdrop(rng);
  backdrop.place = static_cast<Place>(index % kNumPlaces);
  const bool is_indoor = words_of(backdrop.place).is_indoor;
  const std::string name =
      fmt::format("scenes/{}_{:03d}.jpg", is_indoor ? "indoor" : "outdoor", index);
  write_text_file(out_ / name, media::encode_jpeg(render_backdrop(backdrop, 256)));
  Made made;
  made.num_files = 1;
  return made;
}

Tree::Made Tree::make_clip(uint64_t index) const {
  struct Kind {
    uint64_t count;
    vilma::VilmaClip (*draw)(uint64_t seed, uint64_t index);
  };
  const std::array kinds = {Kind{size_.counting_clips, vilma::counting_clip},
                            Kind{size_.action_clips, vilma::action_clip},
                            Kind{size_.swapping_clips, vilma::swapping_clip},
                            Kind{size_.state_clips, vilma::state_clip},
                            Kind{size_.rare_clips, vilma::rare_clip},
                            Kind{size_.relation_clips, vilma::relation_clip}};
  Made made;
  for (const Kind& kind : kinds) {
    if (index >= kind.count) {
      index -= kind.count;
      continue;
    }
    vilma::VilmaClip clip = kind.draw(seed_, index);
    write_clip(clip.script, out_ / "vilma" / clip.path);
    made.num_files = 1;
    if (!clip.repetition_ends.empty()) {
      const std::string stem = fs::path(clip.path).stem().string();
      write_text_file(out_ / "vilma/QUVA/normalized_annotations" / (stem + ".npy"),
                      npy_of(clip.repetition_ends));
      ++made.num_files;
    }
    for (vilma::ItemRow& row : clip.rows)
      made.rows.push_back({"vilma/" + row.file, std::move(row.text)});
    return made;
  }
  throw Error{ErrorCode::kInternal, "no such clip"};
}

Tree::Made Tree::make_bias_picture(uint64_t index) const {
  BiasPicture picture = draw_bias_picture(seed_, index);
  const std::string jpeg = media::encode_jpeg(render_image(picture.scene));
  Made made;
  for (const std::string& place : picture.places) {
    write_text_file(out_ / "bias" / place, jpeg, Sync::kLater);
    ++made.num_files;
  }
  for (BiasRow& row : picture.rows) made.rows.push_back({"bias/" + row.file, std::move(row.text)});
  return made;
}

Tree::Made Tree::make_contrast(const ContrastTask& task, uint64_t index) const {
  const ContrastPair pair = task.draw(seed_, index);
  Made made;
  for (const Scene& scene : pair.scenes)
    write_text_file(out_ / contrast_picture(task.name, index, made.num_files++),
                    media::encode_jpeg(render_image(scene)),
                    Sync::kLater);
  return made;
}

void Tree::take(Made&& made) {
  for (const Row& row : made.rows) streams_.at(row.file)->add(row.text);
  if (made.dialog) {
    VisdialFiles& files =
        source_of(made.scene_id) == Source::kCocoTrain ? *train_dialogs_ : *val_dialogs_;
    files.add(made.scene_id, *made.dialog);
  }
  num_files_ += made.num_files;
}

}  // namespace snellen::eyechart
