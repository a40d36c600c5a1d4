// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"

#include <utility>
#include <vector>

namespace snellen::cli {
namespace {

// Adding a builder is one line here and its declaration in build.h.
std::vector<BuildVerb> build_verbs() {
  return {
      add_build_eyechart,
      add_build_probe_r,
      add_build_probe_c,
      add_build_probe_b,
      add_build_relcomp,
      add_build_vilma_counting,
      add_build_vilma_change_state,
      add_build_vilma_rare_actions,
      add_build_vilma_statistics,
      add_build_check,
  };
}

}  // namespace

std::function<int()> add_build(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("build", "make a data set from published files");
  verb->require_subcommand(1);
  verb->footer("Example:\n  snellen build probe-r --visual-genome vg --out probe_r");
  std::vector<std::pair<CLI::App*, std::function<int()>>> runs;
  for (BuildVerb add : build_verbs()) {
    std::function<int()> run = add(*verb, context);
    runs.emplace_back(verb->get_subcommands({}).back(), std::move(run));
  }
  return [runs] {
    for (const auto& [sub_command, run] : runs) {
      if (sub_command->parsed()) return run();
    }
    return 2;
  };
}

}  // namespace snellen::cli
