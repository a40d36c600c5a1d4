// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/import/import.h"

#include <array>

#include "apps/cli/import/vlbias.h"

namespace snellen::cli {
namespace {

// Adding a source is one line here and its declaration in import.h.
constexpr auto kSources = std::to_array<Verb>({
    add_import_inspect_ai,
    add_import_lmms_eval,
    add_import_vlbias,
    add_import_collect,
    add_import_pack,
    add_import_log2json,
    add_import_otter,
});

}  // namespace

std::function<int()> add_import(Command app, Context& context) {
  Command verb =
      app.add_subcommand("import", "take over logs, questions and answers of other programs");
  verb.footer(
      "compare, gate, view and report take an imported run (inspect, lmms-eval) as any other; the\n"
      "other sources are files of VLBiasBench.\n"
      "Example:\n  snellen import lmms-eval samples_mme.jsonl --metric score --output runs");
  return add_subcommands(verb, kSources, context);
}

}  // namespace snellen::cli
