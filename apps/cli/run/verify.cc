// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/ending/verify.h"

namespace snellen::cli {
std::function<int()> add_verify(Command app, Context& context) {
  Command verb = app.add_subcommand(
      "verify", "recompute the hashes and metrics of a run folder and report differences");
  verb.footer("Example:\n  snellen verify runs/fake-probe-c");
  struct S {
    std::string folder;
  };
  std::vector<config::Option> own = {
      config::option(&S::folder, "run", "the run folder").positional().required()};
  return verb_with(verb, S{}, own, [&context](const S& settings) {
    run::Verification found = run::verify_run(settings.folder, context.catalogue);
    bool is_good = found.differences.empty();
    if (context.wants_json) {
      print_json({{"ok", is_good},
                  {"checks", found.num_checks},
                  {"differences", found.differences},
                  {"unchecked", found.unchecked}});
    } else {
      for (const std::string& line : found.differences) fmt::print("differs: {}\n", line);
      for (const std::string& line : found.unchecked) fmt::print("not checked: {}\n", line);
      fmt::print("{} checks, {} differences\n", found.num_checks, found.differences.size());
    }
    return is_good ? 0 : 1;
  });
}

}  // namespace snellen::cli
