// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/demo/demo_parts.h"
#include "apps/cli/demo/demo_steps.h"
#include "apps/cli/media/picture_files.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/report/table.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array kPictureModels = {"clip", "clip-patched", "blip"};
constexpr std::array kDualEncoders = {"clip", "clip-patched"};
constexpr std::array kClipModels = {"clip", "xclip", "gpt2"};
constexpr std::array kContrasts = {"direction", "binding"};
constexpr std::array kCompared = {"probe-r", "direction", "binding", "probe-c"};
constexpr const char* kUndefined = "-";

struct Column {
  const char* heading;
  const char* task;    // names the run folder
  const char* metric;  // of its results.json
};

constexpr std::array kPictureColumns = {
    Column{"wrong predicate", "probe-r", "probe-r/anchor/rel1_vs_rel2/acc"},
    Column{"wrong subject", "probe-r", "probe-r/anchor/rel1_vs_rel3/acc"},
    Column{"direction", "direction", "direction/acc"},
    Column{"colour binding", "binding", "binding/acc"},
    Column{"composition", "probe-c", "probe-c/composition/group"},
    Column{"objects", "probe-c", "probe-c/object/group"},
    Column{"direction, gray", "direction-gray", "direction-gray/acc"},
    Column{"binding, gray", "binding-gray", "binding-gray/acc"},
};

constexpr std::array kContextColumns = {
    Column{"whole picture", "probe-b-background", "probe-b-background/noise/gt/map"},
    Column{"with a patch of noise", "probe-b-background", "probe-b-background/noise/patch/map"},
    Column{"without background", "probe-b-background", "probe-b-background/noise/mod/map"},
};

constexpr std::array kClipColumns = {
    Column{"counting", "vilma", "vilma/counting/T"},
    Column{"situations", "vilma", "vilma/situation/T"},
    Column{"change of state", "vilma", "vilma/change-state/T"},
    Column{"rare actions", "vilma", "vilma/rare-actions/T"},
    Column{"relations", "vilma", "vilma/relations/T"},
};

std::string percent(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

// "83.7 [80.1, 86.9]", in percent.
std::string shown(const json& metric) {
  if (!metric.is_object() || !metric["value"].is_number()) return kUndefined;
  std::string text = percent(metric["value"]);
  if (metric["low"].is_number() && metric["high"].is_number())
    text += fmt::format(" [{}, {}]", percent(metric["low"]), percent(metric["high"]));
  return text;
}

json read_json(const fs::path& file) {
  json value = formats::parse_json(read_text_file(file));
  if (value.is_object()) return value;
  throw Error{ErrorCode::kInvalidInput, "is no JSON object", file.string()};
}

json metric_of(const json& results, std::string_view id) {
  for (const json& metric : results.value("metrics", json::array())) {
    if (metric.value("id", "") == id) return metric;
  }
  return {};
}

struct Tables {
  report::Table pictures;
  report::Table changes;
  std::string warnings;  // of the comparisons, one line each
  report::Table contexts;
  report::Table clips;
};

std::string told(const Tables& tables, std::string (report::Table::*shown_as)() const) {
  return fmt::format(
      "# What the shipped models see\n\n"
      "Held-out scenes of the eyechart, percent right with 95 % intervals. Chance is 50, in "
      "composition and objects 16.7; a tie is wrong. In the gray columns every picture was "
      "replaced by gray: what is still above chance there comes from the words alone.\n\n{}\n"
      "## What selective negatives and patching changed\n\n"
      "Paired over the same items, those that share a picture taken together; differences in "
      "points.\n\n{}{}\n"
      "## Context\n\n"
      "Average precision of naming all things in the picture (Probe-B).\n\n{}\n"
      "## Clips\n\n"
      "ViLMA's tasks on the eyechart's clips: captions against foils. gpt2 reads the texts "
      "alone: where it is above 50, language gives the answer away.\n\n{}",
      (tables.pictures.*shown_as)(),
      (tables.changes.*shown_as)(),
      tables.warnings,
      (tables.contexts.*shown_as)(),
      (tables.clips.*shown_as)());
}

class Story {
 public:
  Story(const Context& context, fs::path models, fs::path output, std::string size)
      : models_(std::move(models)),
        output_(std::move(output)),
        size_(std::move(size)),
        world_(output_ / "eyechart"),
        steps_(context.program, output_ / "demo.log", context.wants_json),
        wants_json_(context.wants_json) {
    make_folder(output_);
  }

  int tell() {
    build();
    run_probes();
    run_contexts();
    run_clips();
    name_objects();
    compare();
    Tables tables = {.pictures = table(kPictureModels, kPictureColumns, /*with_names=*/true),
                     .changes = changes(),
                     .warnings = warnings(),
                     .contexts = table(kDualEncoders, kContextColumns, /*with_names=*/false),
                     .clips = table(kClipModels, kClipColumns, /*with_names=*/false)};
    write_text_file(output_ / "report.md", told(tables, &report::Table::as_markdown));
    if (wants_json_) {
      fmt::print("{}\n", json{{"report", (output_ / "report.md").string()}}.dump());
    } else {
      fmt::print("\n{}\nwritten to {}; run folders are in {}\n",
                 told(tables, &report::Table::as_text),
                 (output_ / "report.md").string(),
                 runs().string());
    }
    return 0;
  }

 private:
  fs::path runs() const { return output_ / "runs"; }
  std::string in_world(const char* path) const { return (world_ / path).string(); }

  void build() {
    // The file that is written last.
    if (!fs::exists(world_ / "contrasts" / "binding.jsonl"))
      steps_.run({"build", "eyechart", "--out", world_.string(), "--size", size_});
    build_once("probe_r", {"probe-r", "--visual-genome", in_world("visual_genome")});
    build_once("probe_c",
               {"probe-c",
                "--captions",
                in_world("coco/annotations/captions_val2014.json"),
                "--objects",
                in_world("visual_genome/objects.json")});
    build_once("probe_b",
               {"probe-b",
                "--instances",
                in_world("coco/annotations/instances_val2014.json"),
                "--images",
                in_world("coco/val2014"),
                "--scenes",
                in_world("scenes"),
                "--fill-type",
                "noise"});
    for (const char* name : kContrasts) write_gray(name);
  }

  void build_once(const char* folder, Arguments arguments) {
    if (fs::exists(output_ / folder / "build.json")) return;
    arguments.insert(arguments.begin(), "build");
    arguments.insert(arguments.end(), {"--out", (output_ / folder).string()});
    steps_.run(arguments);
  }

  // The same items with every picture gray: whoever still answers did not look.
  void write_gray(const std::string& name) {
    AtomicFile out(output_ / fmt::format("{}-gray.jsonl", name));
    std::istringstream lines(read_text_file(world_ / "contrasts" / (name + ".jsonl")));
    for (std::string line; std::getline(lines, line);) {
      json item = formats::parse_json(line);
      if (item.contains("name")) item["name"] = name + "-gray";
      if (item.contains("visuals"))
        item["visuals"] = {{{"image", item["visuals"][0]}, {"corruption", "gray"}}};
      out.write(item.dump() + "\n");
    }
    out.commit();
  }

  template <size_t N>
  void run_models(const std::array<const char*, N>& names, const Arguments& arguments) {
    Arguments all = {"run"};
    for (const char* name : names) {
      all.emplace_back("--model");
      all.push_back((models_ / name).string());
    }
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"--output", runs().string()});
    steps_.run(all);
  }

  void run_probes() {
    std::string genome = in_world("visual_genome/VG_100K"), coco = in_world("coco/val2014");
    auto data = [&](const char* folder) { return (output_ / folder).string(); };
    run_models(kPictureModels,
               {"--tasks", "probe-r", "--data", data("probe_r"), "--root-image-dir", genome});
    run_models(kPictureModels,
               {"--tasks", "probe-c", "--data", data("probe_c"), "--root-image-dir", coco});
    for (const std::string name : kContrasts) {
      for (const fs::path& file :
           {world_ / "contrasts" / (name + ".jsonl"), output_ / (name + "-gray.jsonl")}) {
        run_models(kPictureModels,
                   {"--tasks", "file:" + file.string(), "--root-image-dir", world_.string()});
      }
    }
  }

  void run_contexts() {
    fs::path data = output_ / "probe_b";
    run_models(kDualEncoders,
               {"--tasks",
                "probe-b-background",
                "--data",
                data.string(),
                "--root-image-orig-dir",
                in_world("coco/val2014"),
                "--root-image-patch-dir",
                (data / "val2014_random_patch_dataset").string(),
                "--root-image-mod-dir",
                (data / "val2014_background_removed_dataset").string()});
  }

  void run_clips() { run_models(kClipModels, {"--tasks", "vilma", "--data", in_world("vilma")}); }

  void name_objects() {
    for (const char* name : kDualEncoders) {
      steps_.run({"zeroshot",
                  "--model",
                  (models_ / name).string(),
                  "--images",
                  in_world("coco/val2014"),
                  "--instances",
                  in_world("coco/annotations/instances_val2014.json"),
                  "--output",
                  (output_ / "zeroshot" / name).string()});
    }
  }

  void compare() {
    for (const char* task : kCompared) {
      steps_.run_into({"compare",
                       (runs() / fmt::format("clip-{}", task)).string(),
                       (runs() / fmt::format("clip-patched-{}", task)).string(),
                       "--json",
                       "--items",
                       "0"},
                      output_ / fmt::format("compare-{}.json", task));
    }
  }

  template <size_t N, size_t M>
  report::Table table(const std::array<const char*, N>& models,
                      const std::array<Column, M>& columns,
                      bool with_names) const {
    std::vector<report::Table::Heading> headings = {{"model", false}};
    if (with_names) headings.push_back({"naming objects", true});
    for (const Column& column : columns) headings.push_back({column.heading, true});
    report::Table rows(headings);
    for (const char* model : models) {
      std::vector<std::string> row = {model};
      if (with_names) row.push_back(naming(model));
      for (const Column& column : columns) {
        fs::path folder = runs() / fmt::format("{}-{}", model, column.task);
        row.push_back(shown(metric_of(read_json(folder / "results.json"), column.metric)));
      }
      rows.add(row);
    }
    return rows;
  }

  std::string naming(const std::string& model) const {
    fs::path file = output_ / "zeroshot" / model / "zeroshot.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return kUndefined;
    return shown(metric_of(read_json(file), "zeroshot/top1"));
  }

  std::string warnings() const {
    std::string lines;
    for (const char* task : kCompared) {
      json compared = read_json(output_ / fmt::format("compare-{}.json", task));
      for (const json& line : compared.value("warnings", json::array()))
        lines += fmt::format("\nWarning: {}\n", line.get<std::string>());
    }
    return lines;
  }

  // What patching changed, item by item.
  report::Table changes() const {
    report::Table rows({{"clip-patched against clip", false},
                        {"n", true},
                        {"difference", true},
                        {"p (Holm)", true}});
    for (const char* task : kCompared) {
      json compared = read_json(output_ / fmt::format("compare-{}.json", task));
      for (const json& row : compared.value("rows", json::array())) {
        if (row.value("kind", "") == "metric") continue;
        if (!row["difference"].is_number() || !row["low"].is_number()) continue;
        rows.add({row.value("id", ""),
                  fmt::format("{}", row.value("n", 0)),
                  fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]",
                              100 * row["difference"].get<double>(),
                              100 * row["low"].get<double>(),
                              100 * row["high"].get<double>()),
                  row["p_holm"].is_number() ? fmt::format("{}{:.1g}",
                                                          row.value("p_is_floor", false) ? "<" : "",
                                                          row["p_holm"].get<double>())
                                            : kUndefined});
      }
    }
    return rows;
  }

  fs::path models_;
  fs::path output_;
  std::string size_;
  fs::path world_;
  DemoSteps steps_;
  bool wants_json_;
};

}  // namespace

int run_demo_story(const Context& context,
                   const fs::path& models,
                   const fs::path& output,
                   const std::string& size) {
  return Story(context, models, output, size).tell();
}

}  // namespace snellen::cli
