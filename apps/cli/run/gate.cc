// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/cores.h"
#include "snellen/base/files.h"
#include "snellen/report/gate_text.h"

namespace snellen::cli {
namespace {

struct GateSettings {
  std::string run;
  std::string baseline;
  std::vector<std::string> requirements;
  std::string bound = "point";
  std::string summary;
  std::string base;
  std::optional<double> by;
  std::vector<std::string> metrics;
  bool is_wide = false;
};

int run_gate(const Context& context, const GateSettings& settings) {
  const bool prints_summary = settings.summary == "-";
  if (context.wants_json && prints_summary) {
    throw Error{ErrorCode::kUsage,
                "--json and --summary - cannot both print to stdout",
                "gate",
                "give --summary a file"};
  }
  report::GateRequest request{.run = settings.run, .requirements = {}};
  if (!settings.baseline.empty()) request.baseline = settings.baseline;
  for (const std::string& text : settings.requirements)
    request.requirements.push_back(
        report::parse_requirement(text, report::bound_of(settings.bound)));
  if (!settings.base.empty()) {
    request.not_worse = report::NotWorse{
        .base = settings.base, .by = settings.by.value_or(0.0), .metrics = settings.metrics};
    request.not_worse->options.num_threads = num_cores();
  }
  const report::GateVerdict verdict = report::gate(request);
  if (!settings.summary.empty() && !prints_summary)
    write_text_file(settings.summary, report::verdict_as_markdown(verdict));
  fmt::print("{}",
             context.wants_json ? report::verdict_as_json(verdict)
             : prints_summary
                 ? report::verdict_as_markdown(verdict)
                 : report::verdict_as_text(verdict, settings.is_wide ? 0 : kTextWidth));
  return verdict.is_met() ? 0 : exit_code_of(ErrorCode::kUnmet);
}

}  // namespace

std::function<int()> add_gate(Command app, Context& context) {
  using config::option;
  using S = GateSettings;
  Command verb = app.add_subcommand(
      "gate", "check requirements on the metrics of a run; the exit code is 5 when one is not met");
  verb.footer(
      "A requirement is a metric, one of >= <= > <, and a number, or `baseline` with an optional\n"
      "margin; low(METRIC) and high(METRIC) are the bounds of the interval. A value that is\n"
      "undefined, or over no item, meets no requirement.\n"
      "Example:\n"
      "  snellen gate runs/clip-probe-c --require \"probe-c/composition/group>=0.30\" \\\n"
      "      --require \"low(probe-c/object/group)>=baseline-0.02\" \\\n"
      "      --baseline runs/last-probe-c --summary gate.md\n"
      "  snellen gate runs/new-probe-c --not-worse-than runs/old-probe-c --by 0.01");
  return verb_with(
      verb,
      S{},
      {option(&S::run, "run", "the run folder").positional().required(),
       option(&S::requirements, "require", "a requirement; may be repeated")
           .whole_words()
           .value("EXPR"),
       option(&S::baseline, "baseline", "the run folder that `baseline` refers to").value("DIR"),
       option(&S::bound, "bound", "the number that is compared where a requirement names none")
           .choices({"point", "low", "high"}),
       option(&S::base,
              "not-worse-than",
              "require that the run is not worse than this one, item by item, by more than --by")
           .value("DIR")
           .needs("by"),
       option(&S::by,
              "by",
              "the loss that is accepted: the whole interval of the difference must be above it")
           .above(0)
           .needs("not-worse-than"),
       option(&S::metrics,
              "metric",
              "metric that --not-worse-than compares; may be repeated; default: all decisions")
           .whole_words()
           .needs("not-worse-than"),
       option(
           &S::summary, "summary", "also write a Markdown page; - prints it instead of the table")
           .value("FILE"),
       option(&S::is_wide, "wide", "print all columns: what was compared, methods, notes")},
      [&context](const S& settings) { return run_gate(context, settings); });
}

}  // namespace snellen::cli
