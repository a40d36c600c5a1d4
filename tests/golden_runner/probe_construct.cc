// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/probe_construct.h"

#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "snellen/base/files.h"
#include "snellen/builders/probe_b/plan.h"
#include "snellen/builders/probe_c/build.h"
#include "snellen/builders/probe_r/build.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;
using builders::BadRecords;
using builders::Workers;

// A folder that goes away with its scope.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("snellen-golden-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const char* name, const Json& json) const {
    write_text_file(path_ / name, json.dump());
    return path_ / name;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Json read(const fs::path& path) {
  return Json::parse(read_text_file(path));
}

// Split by split what the builder makes, group by group.
void compare_split(const builders::probe_c::CaptionIndex& index,
                   const builders::probe_c::Builder& builder,
                   builders::probe_c::SwitchSplit split,
                   const Json& want,
                   Tally& tally) {
  std::string text = "[";
  for (uint32_t image = 0; image < index.num_images(); ++image) {
    for (const builders::probe_c::SwitchGroup& group : builder.groups(split, image)) {
      if (text.size() > 1) text += ", ";
      builders::probe_c::append_json(text, index, group);
    }
  }
  tally.same(Json::parse(text + "]"), want, 0, "groups", /*key_order=*/true);
}

}  // namespace

void check_construct_r(const Context& context, Tally& tally) {
  Json json = context.json();
  const Json& params = json["params"];
  Folder folder;
  builders::probe_r::VisualGenome sources{
      .relationships = folder.write("relationships.json", json["relationships"]),
      .objects = folder.write("objects.json", json["objects"]),
      .object_aliases = {},
      .relationship_aliases = {}};
  builders::probe_r::BuilderOptions options{
      .seed = params["seed"],
      .num_images = params["n_images"],
      .min_object_images = params["min_object_images"],
      .min_predicate_count = params.value("min_predicate_count", uint64_t{1}),
      .subject_attempts = params["subject_attempts"],
      .reserves_relcomp = false};
  for (unsigned num_threads : {1U, 3U}) {
    builders::probe_r::build(sources, options, folder.path(), {.num_threads = num_threads});
    tally.start(fmt::format("groups, {} threads", num_threads));
    tally.same(read(folder.path() / "relation_eval_subject.json"),
               json["expected"],
               0,
               "groups",
               /*key_order=*/true);
    tally.start("skipped images");
    tally.same(read(folder.path() / "build.json")["skipped_image_ids"],
               json["skipped_image_ids"],
               0,
               "skipped_image_ids");
  }
}

void check_construct_c(const Context& context, Tally& tally) {
  namespace probe_c = builders::probe_c;
  Json json = context.json();
  Folder folder;
  Json captions = {{"annotations", json["annotations"]}};
  annotations::CocoCaptionsFile file(folder.write("captions.json", captions));
  std::vector<std::string> nouns = json["nouns"];
  std::vector<std::string> compounds = json["compounds"];
  probe_c::Lexicon lexicon(nouns, compounds);
  BadRecords bad;
  probe_c::CaptionIndex index(file, lexicon, Workers{.num_threads = 2}, bad);
  tally.start("pairs");
  Json pairs = Json::object();
  for (uint32_t image = 0; image < index.num_images(); ++image) {
    Json list = Json::array();
    for (const probe_c::Pair& pair : index.pairs_of(image))
      list.push_back({lexicon.attribute(pair.attribute), lexicon.noun(pair.noun)});
    std::string id = std::to_string(index.id(image));
    // Images without a pair may be left out or listed as empty.
    if (!list.empty() || json["expected_pairs"].contains(id)) pairs[id] = list;
  }
  tally.same(pairs, json["expected_pairs"], 0, "expected_pairs");
  probe_c::Builder builder(index,
                           {.seed = json["params"]["seed"],
                            .object_switch_per_pair = json["params"]["object_switch_per_pair"]});
  tally.start("composition split");
  compare_split(index,
                builder,
                probe_c::SwitchSplit::kComposition,
                json["expected_composition_switch"],
                tally);
  tally.start("object split");
  compare_split(
      index, builder, probe_c::SwitchSplit::kObject, json["expected_object_switch"], tally);
}

void check_groups_b(const Json& json, Tally& tally) {
  namespace probe_b = builders::probe_b;
  const Json& params = json["params"];
  Folder folder;
  annotations::CocoInstances instances(folder.write("instances.json", json["instances"]));
  probe_b::PlanOptions options{.seed = params["seed"],
                               .patch_scales = params["patch_scales"],
                               .min_background = params["min_background"],
                               .min_object_area = params["object_area_min"],
                               .max_object_area = params["object_area_max"]};
  Json ids = Json::array();
  Json annotation_ids = Json::object();
  Json alone = Json::array();
  for (size_t i = 0; i < instances.images().size(); ++i) {
    probe_b::ImagePlan plan = probe_b::plan_image(instances, i, options);
    if (!plan.skip.empty()) continue;
    ids.push_back(plan.image.id);
    Json& of_image = annotation_ids[std::to_string(plan.image.id)];
    Json entry = Json::parse(probe_b::background_json(plan));
    for (const auto& [name, list] : entry["annotations"].items()) {
      for (const Json& annotation : list) of_image[name].push_back(annotation["id"]);
    }
    for (const Json& group : Json::parse("[" + probe_b::cooccurrence_json(plan) + "]"))
      alone.push_back(group);
  }
  tally.start("kept images");
  tally.same(ids, json["expected_mr_image_ids"], 0, "expected_mr_image_ids");
  tally.start("annotations by class");
  tally.same(annotation_ids,
             json["expected_mr_annotation_ids"],
             0,
             "expected_mr_annotation_ids",
             /*key_order=*/true);
  tally.start("co-occurrence groups");
  tally.same(alone, json["expected_br"], 0, "expected_br", /*key_order=*/true);
}

}  // namespace snellen::golden
