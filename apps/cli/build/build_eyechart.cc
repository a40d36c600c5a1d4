// SPDX-License-Identifier: Apache-2.0
// `snellen build eyechart`: the built-in world as a folder of published formats.
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/progress.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/seconds_since.h"
#include "snellen/eyechart/write/tree.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {
namespace {

struct EyechartFlags {
  std::string out;
  uint64_t seed = 0;
  std::string size = "small";
  std::optional<uint64_t> scenes;
  unsigned num_threads = 0;
};

constexpr uint64_t kMostScenes = 10'000'000;

void report(const Context& context,
            const EyechartFlags& flags,
            const eyechart::TreeSize& size,
            uint64_t files,
            double seconds) {
  if (context.wants_json) {
    nlohmann::ordered_json json = {{"out", flags.out},
                                   {"seed", flags.seed},
                                   {"size", flags.size},
                                   {"scenes", size.scenes},
                                   {"backdrops", size.backdrops},
                                   {"clips", size.clips()},
                                   {"bias_pictures", size.bias_pictures},
                                   {"files", files}};
    fmt::print("{}\n", store::json_text(json, 2));
    return;
  }
  fmt::print(
      "{} scenes, {} empty places, {} clips, {} pictures for bias questions: {} files in {} ({})\n",
      size.scenes,
      size.backdrops,
      size.clips(),
      size.bias_pictures,
      files,
      flags.out,
      shown_time(seconds));
}

int run_build_eyechart(const Context& context, const EyechartFlags& flags) {
  eyechart::TreeSize size = *eyechart::tree_size(flags.size);
  if (flags.scenes) size.scenes = *flags.scenes;
  eyechart::Tree tree(flags.out, flags.seed, size);
  ProgressLine line;
  run::Progress progress{.total = tree.num_steps()};
  const auto begin = std::chrono::steady_clock::now();
  ordered_pipeline<eyechart::Tree::Made>(
      tree.num_steps(),
      batch_threads(flags.num_threads, tree.num_steps()),
      [&](uint64_t step) { return tree.make(step); },
      [&](eyechart::Tree::Made&& made) {
        tree.take(std::move(made));
        ++progress.done;
        progress.seconds = seconds_since(begin);
        line.draw(progress);
      },
      [] { return false; });
  tree.finish();
  report(context, flags, size, tree.num_files(), seconds_since(begin));
  return 0;
}

}  // namespace

std::function<int()> add_build_eyechart(Command build, Context& context) {
  using config::option;
  using S = EyechartFlags;
  Command verb =
      build.add_subcommand("eyechart", "render the built-in world in the published formats");
  verb.footer("Example:\n  snellen build eyechart --out eyechart --size small");
  return verb_with(
      verb,
      S{},
      {option(&S::out, "out", "folder to write to").alias("output").value("DIR").required(),
       option(&S::seed, "seed", "seed of the world"),
       option(&S::size, "size", "size of the world").choices({"tiny", "small", "full"}),
       option(&S::scenes, "scenes", "number of still scenes (default: that of --size)")
           .range(10, kMostScenes),
       threads_option(&S::num_threads)},
      [&context](const S& flags) { return run_build_eyechart(context, flags); });
}

}  // namespace snellen::cli
