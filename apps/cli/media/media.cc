// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/media/media.h"

#include <array>
#include <string_view>
#include <vector>

namespace snellen::cli {
namespace {

struct SubCommand {
  std::string_view name;
  std::function<int()> (*add)(CLI::App& media, Context& context);
};

constexpr std::array kSubCommands = {
    SubCommand{"noise", add_media_noise},
    SubCommand{"corrupt", add_media_corrupt},
    SubCommand{"info", add_media_info},
    SubCommand{"thumbnail", add_media_thumbnail},
    SubCommand{"summary", add_media_summary},
    SubCommand{"cut", add_media_cut},
    SubCommand{"normalize-fps", add_media_normalize_fps},
};

}  // namespace

std::function<int()> add_media(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("media", "work on picture and video files");
  verb->require_subcommand(1);
  verb->footer(
      "Example:\n  snellen media info clip.mp4\n  snellen media noise images --out noised");
  std::vector<std::pair<std::string, std::function<int()>>> runs;
  runs.reserve(kSubCommands.size());
  for (const SubCommand& one : kSubCommands) runs.emplace_back(one.name, one.add(*verb, context));
  return [verb, runs] {
    for (const auto& [name, run] : runs) {
      if (verb->got_subcommand(name)) return run();
    }
    return 2;
  };
}

}  // namespace snellen::cli
