// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/report/power_plan.h"

namespace snellen::cli {

std::function<int()> add_power(Command app, Context& context) {
  using config::option;
  using S = report::PowerRequest;
  Command verb = app.add_subcommand(
      "power", "tell how many items a comparison of two models needs to find a difference");
  verb.footer(
      "What the items are like comes from two pilot runs over the same items, from one run and\n"
      "--correlation, or from --share. Items that share pictures tell less than independent "
      "items;\n"
      "the pilot runs show by how much.\n"
      "Examples:\n"
      "  snellen power runs/a-probe-c runs/b-probe-c --metric probe-c/composition/group \\\n"
      "      --difference 0.02\n"
      "  snellen power --share 0.6 --correlation 0.7 --difference 0.02 \\\n"
      "      --items-per-cluster 5 --cluster-correlation 0.2");
  return verb_with(
      verb,
      S{},
      config::joined(
          {{option(&S::pilots, "pilots", "one pilot run folder, or two over the same items")
                .positional()
                .many(),
            option(&S::difference, "difference", "the true difference to find").above(0).required(),
            option(
                &S::metric,
                "metric",
                "metric of the pilot runs, or a task for its decisions; default: the first task"),
            option(&S::share, "share", "without a pilot run: share of right items"),
            option(&S::correlation,
                   "correlation",
                   "correlation of the two models on an item; two pilot runs show it themselves"),
            option(&S::items_per_cluster,
                   "items-per-cluster",
                   "without a pilot run: how many items share a picture")
                .range(1),
            option(&S::cluster_correlation,
                   "cluster-correlation",
                   "without a pilot run: correlation of the differences of items that share a "
                   "picture")
                .range(0, 1)},
           config::nested(&S::options,
                          {option(&stats::PowerOptions::alpha, "alpha", "level of the test"),
                           option(&stats::PowerOptions::power,
                                  "power",
                                  "probability that the difference is found")})}),
      [&context](const S& settings) {
        const report::PowerPlan plan = report::plan_power(settings);
        fmt::print("{}",
                   context.wants_json ? report::power_plan_as_json(plan)
                                      : report::power_plan_as_text(plan));
        return 0;
      });
}

}  // namespace snellen::cli
