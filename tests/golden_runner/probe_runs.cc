// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/probe_runs.h"

#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/store/samples.h"
#include "tests/golden_runner/verb_call.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;

// How a mode of the vectors is asked for.
struct Mode {
  std::string name;
  bool is_compat;
  std::string model;
};

Scored score(const Workplace& place,
             const std::string& task,
             const Mode& mode,
             std::map<std::string, std::string> settings = {}) {
  settings["adapter"] = "file";
  settings["scores"] = (place.path() / "scores.jsonl").string();
  settings["data"] = place.path().string();
  settings["model"] = mode.model;
  settings["compat"] = mode.is_compat ? "true" : "false";
  return golden::score(place, task, std::move(settings));
}

// The mean of a raw list, where it is one of numbers or booleans.
double mean_of(const Json& raw) {
  double sum = 0;
  for (const Json& one : raw)
    sum += one.is_boolean()  ? (one.get<bool>() ? 1.0 : 0.0)
           : one.is_number() ? one.get<double>()
                             : 0;
  return raw.empty() ? std::nan("") : sum / static_cast<double>(raw.size());
}

// Aggregates are rounded to 4 decimals: exact, unless the mean lies within 1e-9 of a rounding
// boundary.
void same_aggregated(
    const Json& got, const Json& want, const Json& raw, Tally& tally, const std::string& what) {
  if (want.is_object() && got.is_object()) {
    tally.expect(got.size() == want.size(), what + ": keys differ");
    auto at = got.items().begin();
    for (const auto& [key, value] : want.items()) {
      tally.expect(at != got.items().end() && at.key() == key,
                   fmt::format("{}.{}: key order", what, key));
      if (got.contains(key))
        same_aggregated(got[key],
                        value,
                        raw.is_object() && raw.contains(key) ? raw[key] : Json(),
                        tally,
                        what + "." + key);
      ++at;
    }
    return;
  }
  double tolerance = 1e-12;
  if (want.is_number() && raw.is_array()) {
    double scaled = mean_of(raw) * 1e4;
    if (std::abs(scaled - std::floor(scaled) - 0.5) < 1e-5) tolerance = 1.0001e-4;
  }
  tally.same(got, want, tolerance, what);
}

void same_files(const Scored& scored,
                const fs::path& raw,
                const fs::path& aggregated,
                const Json& want,
                double tolerance,
                Tally& tally) {
  tally.same(scored.file(raw), want["raw"], tolerance, "raw", /*key_order=*/true);
  same_aggregated(scored.file(aggregated), want["aggregated"], want["raw"], tally, "aggregated");
}

// Places in the vector's groups that a run did not score; the groups' image ids are their places.
std::vector<int> places_not_scored(const Scored& scored, const Json& places) {
  std::set<int> left;
  for (const Json& place : places) left.insert(place.get<int>());
  store::Samples samples = store::Samples::open_to_read(scored.folder() / "samples.db");
  samples.for_each(0, std::nullopt, [&](const store::Sample& sample) {
    if (sample.status == store::SampleStatus::kScored) left.erase(std::stoi(sample.clusters.at(0)));
  });
  return {left.begin(), left.end()};
}

Json image_ids(const Json& rows, int start) {
  Json ids = Json::array();
  for (size_t i = 0; i < rows.size(); ++i) ids.push_back(start + static_cast<int>(i));
  return ids;
}

}  // namespace

void check_probe_r(const Context& context, Tally& tally) {
  Json json = context.json();
  Workplace place;
  Json annotations = Json::object();
  std::vector<Json> lines;
  for (const Json& group : json["groups"]) {
    lines.push_back(group);
    annotations[group["image_id"].get<std::string>()] = {
        {"positive_image_ids", image_ids(group["obj1"], 1)},
        {"negative_image_ids", image_ids(group["obj3"], 100)},
        {"positive_prompt", "R1"},
        {"negative_prompt", "R3"},
        {"negative_predicate_prompt", "R2"},
        {"positive_object", "s"},
        {"negative_object", "s2"}};
  }
  place.write("relation_eval_subject.json", annotations);
  place.write("data/visual_genome/relation_eval_subject.json", annotations);
  place.write_lines("scores.jsonl", lines);
  const std::vector<Mode> modes = {{"default", false, "clip_ViT-B/32"},
                                   {"compat_clip", true, "clip_ViT-B/32"},
                                   {"compat_bridgetower", true, "bridgetower"},
                                   {"compat_vilt", true, "vilt"},
                                   {"compat_finetuned", true, "clip_finetuned"}};
  for (const Mode& mode : modes) {
    if (!json["expected"].contains(mode.name)) continue;
    tally.start(mode.name);
    Scored scored = score(place, "probe-r", mode);
    std::string tag = mode.model == "clip_ViT-B/32" ? "clip_ViT-B32" : mode.model;
    std::string name = mode.model == "clip_ViT-B/32" ? "ViT-B32" : mode.model;
    if (mode.model == "clip_finetuned") name = "finetunedvt_ep20_alpha0.2_ViT-B32";
    fs::path folder = fs::path("relational_text_eval") / tag / "results" / name;
    const char* middle = mode.is_compat ? "aggregation" : "aggregated";
    same_files(scored,
               folder / "eval_relation_understanding.json",
               folder / fmt::format("eval_{}_relation_understanding.json", middle),
               json["expected"][mode.name],
               1e-9,
               tally);
  }
}

void check_probe_c(const Context& context, Tally& tally) {
  Json json = context.json();
  Workplace place;
  Json annotations = Json::array();
  std::vector<Json> lines;
  for (const Json& group : json["groups"]) {
    int index = static_cast<int>(annotations.size());
    lines.push_back({{"split", "composition"}, {"index", index}, {"scores", group["scores"]}});
    annotations.push_back({{"img1_id", std::to_string(index)},
                           {"img2_id", 1000 + index},
                           {"img1_prompt", "a"},
                           {"img2_prompt", "b"},
                           {"img1_composition", group["img1_composition"]}});
  }
  place.write("data_compositional_switch.json", annotations);
  place.write_lines("scores.jsonl", lines);
  for (const Mode& mode : {Mode{"default", false, "clip"}, Mode{"compat_flava", true, "flava"}}) {
    if (!json["expected"].contains(mode.name)) continue;
    tally.start(mode.name);
    Scored scored = score(place, "probe-c", mode, {{"split", "composition"}});
    fs::path folder = fs::path("compositional_text_eval") / mode.model / "results";
    same_files(scored,
               folder / "eval_compositional_switching_composition_understanding.json",
               folder / "eval_aggregated_compositional_switching_composition_understanding.json",
               json["expected"][mode.name],
               1e-9,
               tally);
    if (mode.is_compat) continue;
    tally.start("category_breakdown");
    Json got = Json::object();
    for (const metrics::Measurement& one : scored.summary().results.metrics) {
      const std::string start = "probe-c/composition/by-category/";
      if (!one.id.starts_with(start)) continue;
      std::string rest = one.id.substr(start.size());
      Json& category = got[rest.substr(0, rest.find('/'))];
      category[rest.substr(rest.find('/') + 1)] = one.value;
      category["n"] = one.n;
    }
    tally.same(got, json["category_breakdown"], 1e-9, "category_breakdown");
  }
}

void check_probe_b_mr(const Context& context, Tally& tally) {
  Json json = context.json();
  size_t num_classes = json["groups"][0]["labels"].size();
  auto run_modes = [&](const std::vector<Mode>& modes, const Json& indices, const Json& expected) {
    Workplace place;
    std::string csv = "class,prompt\n";
    for (size_t i = 0; i < num_classes; ++i) csv += fmt::format("c{0},A photo of a c{0}.\n", i);
    write_text_file(place.path() / "prompt_classes.csv", csv);
    Json annotations = Json::array();
    std::vector<Json> lines;
    for (const Json& index : indices) {
      const Json& group = json["groups"][index.get<size_t>()];
      Json present = Json::object();
      for (size_t i = 0; i < num_classes; ++i) {
        if (group["labels"][i] == 1) present[fmt::format("c{}", i)] = Json::array();
      }
      annotations.push_back({{"image_id", index},
                             {"image", fmt::format("COCO_val2014_{:012d}.jpg", index.get<int>())},
                             {"annotations", present}});
      lines.push_back({{"image_id", index}, {"logits", group["logits"]}});
    }
    place.write("background_context_dataset.json", annotations);
    place.write_lines("scores.jsonl", lines);
    for (const Mode& mode : modes) {
      if (!expected.contains(mode.name)) continue;
      tally.start(mode.name);
      Scored scored = score(place, "probe-b-background", mode, {{"fill-type", "gray"}});
      fs::path folder = fs::path("context_text_eval") / mode.model / "results" / mode.model;
      same_files(scored,
                 folder / "eval_context_background_gray_understanding.json",
                 folder / "eval_aggregated_context_background_gray_understanding.json",
                 expected[mode.name],
                 mode.name == "compat_flava" ? 1e-6 : 1e-9,
                 tally);
      tally.expect(places_not_scored(scored, indices) ==
                       expected[mode.name]["skipped"].get<std::vector<int>>(),
                   "skipped");
    }
  };
  Json all = Json::array();
  for (size_t i = 0; i < json["groups"].size(); ++i) all.push_back(i);
  run_modes({{"default", false, "clip"}}, all, json["expected"]);
  run_modes(
      {{"compat", true, "clip"}, {"compat_swapped", true, "vilt"}, {"compat_flava", true, "flava"}},
      json["groups_without_empty"],
      json["expected_without_empty"]);
}

void check_probe_b_r(const Context& context, Tally& tally) {
  Json json = context.json();
  Workplace place;
  std::string csv = "class,prompt\n";
  for (const Json& name : json["classes"])
    csv += fmt::format("{0},A photo of a {0}.\n", name.get<std::string>());
  write_text_file(place.path() / "prompt_classes.csv", csv);
  Json annotations = Json::array();
  Json places = Json::array();
  std::vector<Json> lines;
  for (const Json& group : json["groups"]) {
    int id = static_cast<int>(annotations.size());
    places.push_back(id);
    std::string object = group["object"];
    annotations.push_back({{"image_id", id},
                           {"object", object},
                           {"other_objects", group["other_objects"]},
                           {"path", fmt::format("{}_COCO_val2014_{:012d}.jpg", object, id)}});
    lines.push_back({{"image_id", id}, {"object", object}, {"logits", group["logits"]}});
  }
  place.write("object_context_dataset.json", annotations);
  place.write_lines("scores.jsonl", lines);
  for (const Mode& mode : {Mode{"default", false, "clip"},
                           Mode{"compat", true, "clip"},
                           Mode{"compat_swapped", true, "bridgetower"}}) {
    if (!json["expected"].contains(mode.name)) continue;
    const Json& want = json["expected"][mode.name];
    tally.start(mode.name);
    Scored scored = score(place, "probe-b-cooccurrence", mode, {{"fill-type", "scene"}});
    fs::path folder = fs::path("cooccurrence_text_eval") / mode.model / "results" / mode.model;
    same_files(scored,
               folder / "eval_cooccurence_scene_understanding.json",
               folder / "eval_aggregated_cooccurence_scene_understanding.json",
               want,
               1e-9,
               tally);
    tally.same(scored.file(folder / "eval_object_stats_scene_cooccurence_understanding.json"),
               want["object_stats"],
               1e-9,
               "object_stats",
               /*key_order=*/true);
    tally.expect(places_not_scored(scored, places) == want["skipped"].get<std::vector<int>>(),
                 "skipped");
  }
}

}  // namespace snellen::golden
