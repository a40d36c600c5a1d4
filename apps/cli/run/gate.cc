// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/report/gate_text.h"

namespace snellen::cli {

std::function<int()> add_gate(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "gate", "does a run meet requirements on its metrics? exit code 5 when not");
  verb->footer(
      "A requirement is METRIC, one of >= <= > <, and a number or baseline with an optional "
      "margin; low(METRIC) and\n"
      "high(METRIC) mean the bounds of the interval. An undefined value, or one over no item, "
      "meets nothing.\n"
      "Example:\n  snellen gate runs/clip-probe-c --require \"probe-c/composition/group>=0.30\" "
      "\\\n"
      "    --require \"low(probe-c/object/group)>=baseline-0.02\" --baseline runs/last-probe-c "
      "--summary gate.md");
  struct Flags {
    std::string run;
    std::string baseline;
    std::vector<std::string> requirements;
    std::string bound = "point";
    std::string summary;
  };
  auto flags = std::make_shared<Flags>();
  verb->add_option("run", flags->run, "the run folder")->required()->type_name("FOLDER");
  verb->add_option("--require", flags->requirements, "a requirement; may be given several times")
      ->required()
      ->expected(1)
      ->type_name("EXPR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--baseline", flags->baseline, "the run folder that 'baseline' stands for")
      ->type_name("FOLDER");
  verb->add_option("--bound",
                   flags->bound,
                   "which number is compared where a requirement does not say (default point)")
      ->check(CLI::IsMember({"point", "low", "high"}));
  verb->add_option("--summary",
                   flags->summary,
                   "also write a Markdown page there; - prints it in place of the table")
      ->type_name("FILE");
  return [&context, flags] {
    if (context.wants_json && flags->summary == "-") {
      throw Error{ErrorCode::kUsage,
                  "--json and --summary - both want stdout",
                  "gate",
                  "give --summary a file"};
    }
    report::GateRequest request{.run = flags->run, .requirements = {}};
    if (!flags->baseline.empty()) request.baseline = flags->baseline;
    for (const std::string& text : flags->requirements) {
      request.requirements.push_back(
          report::parse_requirement(text, report::bound_of(flags->bound)));
    }
    report::GateVerdict verdict = report::gate(request);
    bool prints_summary = flags->summary == "-";
    if (!flags->summary.empty() && !prints_summary)
      write_text_file(flags->summary, report::verdict_as_markdown(verdict));
    fmt::print("{}",
               context.wants_json ? report::verdict_as_json(verdict)
               : prints_summary   ? report::verdict_as_markdown(verdict)
                                  : report::verdict_as_text(verdict));
    return verdict.is_met() ? 0 : exit_code_of(ErrorCode::kUnmet);
  };
}

}  // namespace snellen::cli
