// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/merge.h"
#include "apps/cli/run/run_output.h"
#include "apps/cli/setting_flags.h"

namespace snellen::cli {

std::function<int()> add_merge(Command app, Context& context) {
  using config::option;
  struct S {
    std::vector<std::filesystem::path> shards;
    std::filesystem::path output;
    bool overwrites = false;
  };
  Command verb = app.add_subcommand("merge", "join the shards of one run");
  verb.footer("Example:\n  snellen merge runs/fake-probe-c-shard*of3 --output merged");
  return verb_with(
      verb,
      S{},
      {option(&S::shards, "shards", "the run folders of all shards").positional().many().required(),
       option(&S::output, "output", "folder for the joined run folder").value("DIR").required(),
       option(&S::overwrites, "overwrite", "replace a run folder that exists already")},
      [&context](const S& settings) {
        return show_summary(context,
                            run::merge_shards({.shards = settings.shards,
                                               .output = settings.output,
                                               .catalogue = context.catalogue,
                                               .command = context.command,
                                               .overwrites = settings.overwrites}),
                            {});
      });
}

}  // namespace snellen::cli
