// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/merge.h"
#include "apps/cli/run/run_output.h"

namespace snellen::cli {

std::function<int()> add_merge(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("merge", "join the shards of one run");
  verb->footer("Example:\n  snellen merge runs/fake-probe-c-shard*of3 --output merged");
  auto shards = std::make_shared<std::vector<std::string>>();
  auto output = std::make_shared<std::string>();
  verb->add_option("shards", *shards, "the run folders of all shards")
      ->required()
      ->type_name("FOLDER...");
  verb->add_option("--output", *output, "where the joined run folder goes")
      ->required()
      ->type_name("FOLDER");
  auto overwrites = std::make_shared<bool>(false);
  verb->add_flag("--overwrite", *overwrites, "replace a run that stands where the joined one goes");
  return [&context, shards, output, overwrites] {
    return show_summary(context,
                        run::merge_shards({.shards = {shards->begin(), shards->end()},
                                           .output = *output,
                                           .catalogue = context.catalogue,
                                           .command = context.command,
                                           .overwrites = *overwrites}),
                        {});
  };
}

}  // namespace snellen::cli
