// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/score_visdial.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/text/meteor_places.h"
#include "snellen/tasks/visdial_gen/result_file.h"

namespace snellen::cli {

int score_visdial(Context& context, config::Options options, const ShowOptions& show) {
  set_meteor_places(options);
  run::RunSummary summary = run_with_progress(context, options);
  bool is_whole = summary.verdict != run::Verdict::kInterrupted;
  bool is_compat = is_whole && options.flag("compat") && !context.wants_json;
  if (is_whole) {
    tasks::visdial_gen::ReadResult result =
        tasks::visdial_gen::read_result_file(summary.folder / tasks::visdial_gen::kResultFile);
    for (const std::string& warning : result.warnings) fmt::print(stderr, "warning: {}\n", warning);
    if (is_compat) {
      for (const std::string& line : metrics::compat_lines(result.summary))
        fmt::print("{}\n", line);
    }
  }
  ShowOptions shown = show;
  shown.with_table = !is_compat;
  int code = show_summary(context, summary, shown);
  bool is_undefined = std::any_of(summary.results.metrics.begin(),
                                  summary.results.metrics.end(),
                                  [](const metrics::Measurement& one) { return one.n == 0; });
  return code == 0 && is_undefined ? 1 : code;
}

}  // namespace snellen::cli
