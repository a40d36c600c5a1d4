// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "apps/cli/demo/demo_parts.h"
#include "apps/cli/print.h"
#include "apps/cli/run/run_output.h"
#include "snellen/run/catalogue.h"

namespace snellen::cli {
namespace {

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

}  // namespace

int run_demo_example(Context& context,
                     const std::filesystem::path& data,
                     const std::filesystem::path& output) {
  for (const Step& step : kSteps) {
    if (!context.wants_json) fmt::print("== {}: {}\n", step.task, step.question);
    std::fflush(stdout);
    config::Options options(run::run_options(context.catalogue));
    options.set("tasks", step.task, "demo");
    options.set("adapter", "file", "demo");
    options.set("scores", (data / step.scores).string(), "demo");
    options.set("data", data.string(), "demo");
    options.set("name", "example", "demo");
    options.set("output", output.string(), "demo");
    int code = run_and_show(context, options, {});
    if (code != 0) return code;
    if (!context.wants_json) fmt::print("\n");
  }
  print_note(
      "done: the run folders are in {0}; look at one with: snellen verify "
      "{0}/example-probe-c\n",
      output.string());
  return 0;
}

}  // namespace snellen::cli
