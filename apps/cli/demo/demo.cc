// SPDX-License-Identifier: Apache-2.0
// `snellen demo`: the shipped models on a small world, or, without networks, probes from score
// files.
#include <fmt/format.h>

#include "apps/cli/demo/demo_parts.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"

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

std::function<int()> add_demo(Command app, Context& context) {
  using config::option;
  using S = DemoFlags;
  Command verb =
      app.add_subcommand("demo", "evaluate the shipped models on a small built-in world");
  verb.footer(
      "Renders the eyechart (1,000 images, 360 clips), builds the probes from it, runs and\n"
      "compares the shipped models and writes report.md. Every step is printed as a command.\n"
      "Example:\n  snellen demo --output demo-runs");
  return verb_with(
      verb,
      S{},
      {option(&S::output, "output", "folder for everything").alias("out").value("DIR"),
       option(&S::size, "size", "size of the world").choices({"small", "full"}),
       option(&S::wants_example, "example", "probes from score files only, without any model")},
      [&context](const S& flags) { return run_demo(context, flags); });
}

}  // namespace snellen::cli
