// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/build/build_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/densevisdial/build.h"
#include "snellen/config/groups.h"

namespace snellen::cli {
namespace {

struct DenseFlags : BuildFlags {
  builders::densevisdial::Sources sources;
  std::vector<std::string> rules = {"S"};
  std::string eval_set = "full";
};

int run_build(const Context& context, const DenseFlags& flags) {
  builders::densevisdial::Options options{.rules = {}, .is_human_only = flags.eval_set == "human"};
  for (const std::string& letter : flags.rules)
    options.rules.push_back(builders::densevisdial::rule_of(letter));
  BuildProgress progress;
  builders::densevisdial::Statistics statistics;
  const builders::BuildReport report = builders::densevisdial::build(
      flags.sources, options, flags.out, workers_of(flags, progress), statistics);
  if (!context.wants_json)
    for (const std::string& line : statistics.lines) fmt::print("{}\n", line);
  return show_build(context, report, flags.out);
}

}  // namespace

std::function<int()> add_build_densevisdial(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = DenseFlags;
  using Sources = builders::densevisdial::Sources;
  Command verb = build.add_subcommand(
      "densevisdial", "reference sets: which candidates mean the same as the recorded answer");
  verb.footer(
      "Writes DIR/refs_S_full_val.json and so on, one file per rule, and statistics.json.\n"
      "S: within one standard deviation of the best; M: mean shift; G: five Ward clusters;\n"
      "H: what people called relevant.\n"
      "Example:\n"
      "  snellen build densevisdial --dialogs visdial_1.0_val.json --projections cca\n"
      "      --annotations visdial_1.0_val_dense_annotations.json\n"
      "      --cluster-method S,M,G,H --eval-set human --out densevisdial");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(
               &S::sources,
               {option(&Sources::dialogs, "dialogs", "VisDial dialogs").value("FILE").required(),
                option(&Sources::projections,
                       "projections",
                       "folder of a fitted CCA (`snellen train cca`)")
                    .value("DIR"),
                option(&Sources::annotations, "annotations", "people's relevances").value("FILE")}),
           {option(&S::rules, "cluster-method", "which rules").choices({"S", "M", "G", "H"}),
            option(&S::eval_set, "eval-set", "every round, or those that people annotated")
                .choices({"full", "human"})}}),
      [&context](const S& flags) { return run_build(context, flags); });
}

}  // namespace snellen::cli
