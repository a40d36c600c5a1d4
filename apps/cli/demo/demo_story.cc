// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/demo/demo_bias.h"
#include "apps/cli/demo/demo_dialogs.h"
#include "apps/cli/demo/demo_parts.h"
#include "apps/cli/demo/demo_steps.h"
#include "apps/cli/demo/demo_tables.h"
#include "apps/cli/media/picture_files.h"
#include "apps/cli/print.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array kPictureModels = {"clip", "clip-patched", "blip"};
constexpr std::array kDualEncoders = {"clip", "clip-patched"};
constexpr std::array kContrastModels = {"clip", "clip-patched", "blip", "gpt2"};
constexpr std::array kClipModels = {"clip", "xclip", "gpt2"};
constexpr std::array kContrasts = {"direction", "binding"};
constexpr std::array kCompared = {"probe-r", "direction", "binding", "probe-c"};
constexpr std::array kPictureColumns = {
    DemoColumn{"wrong predicate", "probe-r", "probe-r/anchor/rel1_vs_rel2/acc"},
    DemoColumn{"wrong subject", "probe-r", "probe-r/anchor/rel1_vs_rel3/acc"},
    DemoColumn{"direction", "direction", "direction/acc"},
    DemoColumn{"colour binding", "binding", "binding/acc"},
    DemoColumn{"composition", "probe-c", "probe-c/composition/group"},
    DemoColumn{"objects", "probe-c", "probe-c/object/group"},
    DemoColumn{"direction, gray", "direction/control/gray", "direction/acc"},
    DemoColumn{"binding, gray", "binding/control/gray", "binding/acc"},
};

constexpr std::array kContextColumns = {
    DemoColumn{"whole picture", "probe-b-background", "probe-b-background/noise/gt/map"},
    DemoColumn{"with a patch of noise", "probe-b-background", "probe-b-background/noise/patch/map"},
    DemoColumn{"without background", "probe-b-background", "probe-b-background/noise/mod/map"},
};

constexpr std::array kClipColumns = {
    DemoColumn{"counting", "vilma", "vilma/counting/T"},
    DemoColumn{"situations", "vilma", "vilma/situation/T"},
    DemoColumn{"change of state", "vilma", "vilma/change-state/T"},
    DemoColumn{"rare actions", "vilma", "vilma/rare-actions/T"},
    DemoColumn{"relations", "vilma", "vilma/relations/T"},
};

constexpr std::array kControlled = {
    DemoLadder{"clip", "direction", "direction/acc"},
    DemoLadder{"clip-patched", "direction", "direction/acc"},
    DemoLadder{"blip", "direction", "direction/acc"},
    DemoLadder{"gpt2", "direction", "direction/acc"},
    DemoLadder{"clip", "binding", "binding/acc"},
    DemoLadder{"clip-patched", "binding", "binding/acc"},
    DemoLadder{"blip", "binding", "binding/acc"},
    DemoLadder{"gpt2", "binding", "binding/acc"},
    DemoLadder{"clip", "vilma_change-state", "vilma/change-state/T"},
    DemoLadder{"xclip", "vilma_change-state", "vilma/change-state/T"},
    DemoLadder{"gpt2", "vilma_change-state", "vilma/change-state/T"},
};

struct Tables {
  report::Table pictures;
  report::Table directions;
  report::Table changes;
  std::string warnings;  // of the comparisons, one line each
  report::Table contexts;
  report::Table clips;
  report::Table controls;
};

std::string told(const Tables& tables,
                 const std::function<std::string(const report::Table&)>& shown_as) {
  return fmt::format(
      "# What the shipped models see\n\n"
      "Held-out scenes of the eyechart, percent right with 95 % intervals. Chance is 50, in "
      "composition and objects 16.7; a tie is wrong. In the gray columns every picture was "
      "replaced by gray: what is still above chance there comes from the words alone.\n\n{}\n"
      "## Direction, kind by kind\n\n"
      "Each text is asked of two pictures of the same things, right of one and wrong of the other; "
      "gray as above.\n\n{}\n"
      "## What selective negatives and patching changed\n\n"
      "Paired over the same items, those that share a picture taken together; differences in "
      "points.\n\n{}{}\n"
      "## Context\n\n"
      "Average precision of naming all things in the picture (Probe-B).\n\n{}\n"
      "## Clips\n\n"
      "ViLMA's tasks on the eyechart's clips: captions against foils. Chance is 50, in situations "
      "less, where half of the items have two foils. gpt2 reads the texts alone: above chance, "
      "language would give the answer away. clip looks at each frame alone and takes the mean, so "
      "that the order of frames and how often something comes are lost to it: around chance, also "
      "below, in counting and change of state is what it can do.\n\n{}\n"
      "## Did they look?\n\n"
      "The same items under controls (`run --control`): the score as it is, without the picture "
      "(the best of none, gray, noise and another item's picture), and whether the score needs the "
      "picture, the order of frames and motion.\n\n{}",
      shown_as(tables.pictures),
      shown_as(tables.directions),
      shown_as(tables.changes),
      tables.warnings,
      shown_as(tables.contexts),
      shown_as(tables.clips),
      shown_as(tables.controls));
}

class Demo {
 public:
  Demo(const Context& context, fs::path models, fs::path output, std::string size)
      : models_(std::move(models)),
        output_(std::move(output)),
        size_(std::move(size)),
        world_(output_ / "eyechart"),
        steps_(context.program,
               output_ / "demo.log",
               std::filesystem::absolute(output_ / "settings"),
               context.wants_json),
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
    const DemoTables from(output_);
    Tables tables = {
        .pictures = from.by_model(kPictureModels, kPictureColumns, /*with_names=*/true),
        .directions = from.by_kind(kPictureModels, "direction"),
        .changes = from.changes(kCompared),
        .warnings = from.warnings(kCompared),
        .contexts = from.by_model(kDualEncoders, kContextColumns, /*with_names=*/false),
        .clips = from.by_model(kClipModels, kClipColumns, /*with_names=*/false),
        .controls = from.controls(kControlled)};
    write_text_file(output_ / "report.md", told(tables, &report::Table::as_markdown));
    add_dialogs(steps_, world_, output_, wants_json_);
    add_bias(steps_, world_, output_, wants_json_);
    const fs::path page = output_ / "report" / "report.html";
    steps_.run({"report", output_.string(), "--output", (output_ / "report").string()});
    if (wants_json_) {
      fmt::print("{}\n",
                 store::json_text(
                     {{"report", (output_ / "report.md").string()}, {"page", page.string()}}));
    } else {
      fmt::print(
          "\n{}\nwritten to {}\nrun folders: {}\n"
          "figures and tables: {}\nlook at the items: snellen view {}\n",
          for_terminal(
              told(tables, [](const report::Table& one) { return one.as_text(kTextWidth); })),
          (output_ / "report.md").string(),
          runs().string(),
          page.string(),
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
  }

  void build_once(const char* folder, Arguments arguments) {
    if (fs::exists(output_ / folder / "build.json")) return;
    arguments.insert(arguments.begin(), "build");
    arguments.insert(arguments.end(), {"--out", (output_ / folder).string()});
    steps_.run(arguments);
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
    // The same items with other pictures or none: whoever still answers did not look.
    for (const std::string name : kContrasts) {
      const fs::path file = world_ / "contrasts" / (name + ".jsonl");
      run_models(kContrastModels,
                 {"--tasks",
                  "file:" + file.string(),
                  "--root-image-dir",
                  world_.string(),
                  "--control",
                  "none,gray,mismatch"});
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

  void run_clips() {
    run_models(kClipModels, {"--tasks", "vilma", "--data", in_world("vilma")});
    // Change of state alone: does it take the order of the frames?
    run_models(kClipModels,
               {"--tasks",
                "vilma/change-state",
                "--data",
                in_world("vilma"),
                "--control",
                "gray,reverse,freeze"});
  }

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
  return Demo(context, models, output, size).tell();
}

}  // namespace snellen::cli
