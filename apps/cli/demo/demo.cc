// SPDX-License-Identifier: Apache-2.0
// `snellen demo`: the shipped models on a small world, or, without networks, probes from score
// files.
#include <fmt/format.h>

#include "apps/cli/demo/demo_parts.h"
#include "apps/cli/run/networks.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

// A folder that travels beside the program; empty when it is not there.
fs::path shared_folder(const std::string& program, const char* name) {
  fs::path binary = fs::canonical(program).parent_path();
  for (const fs::path& place :
       {binary / "share" / "snellen" / name, binary / ".." / "share" / "snellen" / name}) {
    if (fs::exists(place)) return place;
  }
  return {};
}

struct DemoFlags {
  std::string output = "demo-runs";
  std::string size = "small";
  bool wants_example = false;
};

int run_demo(Context& context, const DemoFlags& flags) {
  fs::path models = shared_folder(context.program, "models");
  bool has_models = has_network_module(context) && fs::exists(models / "clip" / "config.json");
  if (has_models && !flags.wants_example)
    return run_demo_story(context, models, flags.output, flags.size);
  fs::path data = shared_folder(context.program, "demo");
  if (data.empty()) {
    throw Error{ErrorCode::kNotFound,
                "the demo's example data are not beside the program",
                "share/snellen/demo",
                "build it with ./dev build"};
  }
  return run_demo_example(context, data, flags.output);
}

}  // namespace

std::function<int()> add_demo(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "demo", "the shipped models on a small world: what they see, and what training changes");
  verb->footer(
      "Draws the eyechart (1,000 pictures, 110 clips), builds the probes on it, runs the shipped "
      "models, compares\nthem and writes report.md. Every step is printed as a command.\n"
      "Example:\n  snellen demo --output demo-runs");
  auto flags = std::make_shared<DemoFlags>();
  verb->add_option("--output,--out", flags->output, "where everything goes (default demo-runs)")
      ->type_name("FOLDER");
  verb->add_option("--size", flags->size, "of the world (default small)")
      ->check(CLI::IsMember({"small", "full"}));
  verb->add_flag(
      "--example", flags->wants_example, "probes from score files alone, without any model");
  return [&context, flags] { return run_demo(context, *flags); };
}

}  // namespace snellen::cli
