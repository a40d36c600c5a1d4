// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/run_output.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct Step {
  const char* task;
  const char* scores;
  const char* question;
};

constexpr std::array kSteps = {
    Step{"probe-r", "probe_r.jsonl", "Does the model reject an impossible predicate or subject?"},
    Step{"probe-c", "probe_c.jsonl", "Does it bind attribute to noun?"},
    Step{"probe-b-background",
         "probe_b_background.jsonl",
         "Does recognising the objects depend on the background?"},
    Step{"probe-b-cooccurrence",
         "probe_b_cooccurrence.jsonl",
         "Does recognising one object depend on the others?"},
};

fs::path demo_folder(const std::string& program) {
  fs::path binary = fs::canonical(program).parent_path();
  for (const fs::path& place :
       {binary / "share" / "snellen" / "demo", binary / ".." / "share" / "snellen" / "demo"}) {
    if (fs::exists(place)) return place;
  }
  throw Error{ErrorCode::kNotFound,
              "the demo's example data are not beside the program",
              (binary / "share").string(),
              "build it with ./dev build"};
}

}  // namespace

std::function<int()> add_demo(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "demo", "all four probes on a small built-in example, from score files to run folders");
  verb->footer("Example:\n  snellen demo --output demo-runs");
  auto output = std::make_shared<std::string>("demo-runs");
  verb->add_option("--output", *output, "where the run folders go (default demo-runs)")
      ->type_name("FOLDER");
  return [&context, output] {
    fs::path folder = demo_folder(context.program);
    for (const Step& step : kSteps) {
      if (!context.wants_json) fmt::print("== {}: {}\n", step.task, step.question);
      std::fflush(stdout);
      config::Options options(run::run_options(context.catalogue));
      options.set("tasks", step.task, "demo");
      options.set("adapter", "file", "demo");
      options.set("scores", (folder / step.scores).string(), "demo");
      options.set("data", folder.string(), "demo");
      options.set("name", "example", "demo");
      options.set("output", *output, "demo");
      int code = run_and_show(context, options, {});
      if (code != 0) return code;
      if (!context.wants_json) fmt::print("\n");
    }
    fmt::print(
        stderr,
        "done: the run folders are in {}; look at one with: snellen verify {}/example-probe-c\n",
        *output,
        *output);
    return 0;
  };
}

}  // namespace snellen::cli
