// SPDX-License-Identifier: Apache-2.0
// `snellen build eyechart`: the built-in world as a folder of published formats.
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/progress.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/eyechart/write/tree.h"

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

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

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
    fmt::print("{}\n", json.dump(2));
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

std::function<int()> add_build_eyechart(CLI::App& build, Context& context) {
  CLI::App* verb =
      build.add_subcommand("eyechart", "render the built-in world in the published formats");
  auto flags = std::make_shared<EyechartFlags>();
  verb->add_option("--out,--output", flags->out, "folder to write to")
      ->type_name("DIR")
      ->required();
  verb->add_option("--seed", flags->seed, "another seed, another world (default 0)")
      ->type_name("N");
  verb->add_option("--size", flags->size, "tiny, small or full (default small)")
      ->check(CLI::IsMember({"tiny", "small", "full"}));
  verb->add_option("--scenes", flags->scenes, "number of still scenes, instead of the size's own")
      ->check(CLI::Range(uint64_t{10}, kMostScenes))
      ->type_name("N");
  add_threads_flag(*verb, flags->num_threads);
  verb->footer("Example:\n  snellen build eyechart --out eyechart --size small");
  return [&context, flags] { return run_build_eyechart(context, *flags); };
}

}  // namespace snellen::cli
