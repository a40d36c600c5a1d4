// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/verbs.h"

namespace snellen::cli {

std::function<int()> add_media(Command app, Context& context) {
  Command verb = app.add_subcommand("media", "work on picture and video files");
  verb.footer("Example:\n  snellen media info clip.mp4\n  snellen media noise images --out noised");
  return add_subcommands(verb, verbs_of("media"), context);
}

}  // namespace snellen::cli
