// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/verbs.h"

namespace snellen::cli {

std::function<int()> add_build(Command app, Context& context) {
  Command verb = app.add_subcommand("build", "make a data set from published files");
  verb.footer("Example:\n  snellen build probe-r --visual-genome vg --out probe_r");
  return add_subcommands(verb, verbs_of("build"), context);
}

}  // namespace snellen::cli
