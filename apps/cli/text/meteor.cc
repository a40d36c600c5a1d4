// SPDX-License-Identifier: Apache-2.0
// METEOR on its own: two texts, JSON lines, or the line protocol of the Java program.
#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/text/meteor_places.h"
#include "apps/cli/text/text_lines.h"
#include "apps/cli/verb.h"
#include "snellen/base/json_object.h"
#include "snellen/metrics/text/meteor/stdio_protocol.h"

namespace snellen::cli {
namespace {

using metrics::meteor::Meteor;
using metrics::meteor::Scratch;
using metrics::meteor::Segment;

constexpr size_t kMaxProtocolLine = size_t{16} << 20;

struct MeteorCommand {
  MeteorFlags flags;
  std::string task = "rank";
  bool is_stdio = false;
  std::string input = "-";
  std::vector<std::string> texts;  // hypothesis, then references
};

Meteor open_meteor(const MeteorCommand& command) {
  metrics::meteor::Parameters parameters = metrics::meteor::parameters_of(command.task);
  auto data = std::make_shared<const text::meteor::MeteorData>(
      text::meteor::load_meteor_data(meteor_places(command.flags)));
  for (const std::string& warning : data->warnings) print_note("warning: {}\n", warning);
  return Meteor(data, parameters);
}

// Whatever a line holds, it gets an answer: a driver that waits for one must never hang.
void serve(const Meteor& meteor) {
  metrics::meteor::StdioProtocol protocol(meteor);
  std::string out;
  for_each_java_line(kMaxProtocolLine, [&](std::string_view line, bool fits) {
    out.clear();
    try {
      if (fits) protocol.answer(line, out);
    } catch (const Error& error) {
      out = fmt::format("Error: {}\n", error.what());
    }
    if (!fits) out = fmt::format("Error: the line is longer than {} bytes\n", kMaxProtocolLine);
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  });
}

JsonText json_of(const Meteor& meteor, const Segment& segment) {
  std::vector<JsonText> statistics;  // whole numbers without ".0"
  for (double value : segment.statistics.values()) statistics.push_back({fmt::to_string(value)});
  const auto& paraphrases = meteor.data().paraphrases;
  return json_object(
      {{"score", segment.score.score},
       {"precision", segment.score.precision},
       {"recall", segment.score.recall},
       {"f_mean", segment.score.f_mean},
       {"penalty", segment.score.penalty},
       {"statistics", statistics},
       {"best_reference", segment.best_reference},
       {"meteor_paraphrase", paraphrases ? JsonValue(paraphrases->source_sha256()) : false}});
}

void score_texts(const Meteor& meteor, const MeteorCommand& command, bool wants_json) {
  Scratch scratch(meteor);
  auto score = [&](const TextLine& line) {
    std::vector<std::string> references;
    for (const std::string& text : line.references)
      references.push_back(metrics::meteor::meteor_reference(text));
    Segment segment =
        meteor.score(metrics::meteor::meteor_hypothesis(line.hypothesis), references, scratch);
    fmt::print("{}\n",
               wants_json ? json_of(meteor, segment).text : python_float(segment.score.score));
  };
  if (command.texts.empty()) return for_each_text_line(command.input, score);
  score({command.texts.front(), {command.texts.begin() + 1, command.texts.end()}});
}

// The name of a file where a sentence is expected.
bool looks_like_file(const std::string& text) {
  constexpr std::array kEndings = {".txt", ".json", ".jsonl", ".csv", ".tsv"};
  return text.find(' ') == std::string::npos &&
         std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) {
           return text.ends_with(ending);
         });
}

void expect_texts(const std::vector<std::string>& texts) {
  if (texts.empty() || !std::all_of(texts.begin(), texts.end(), looks_like_file)) return;
  throw Error{ErrorCode::kUsage,
              fmt::format("'{}' is the name of a file, and texts are scored", texts.front()),
              "meteor",
              "give the texts themselves, or JSON lines with --input FILE"};
}

}  // namespace

std::function<int()> add_meteor(Command app, Context& context) {
  using config::option;
  using S = MeteorCommand;
  Command verb = app.add_subcommand(
      "meteor", "METEOR 1.5: two texts, JSON lines, or the Java program's line protocol");
  verb.footer(
      "Without texts, reads JSON lines {\"hypothesis\": text, \"references\": [text, ...]}.\n"
      "Examples:\n"
      "  snellen meteor 'yes it is' 'yes, it is' 'it is'\n"
      "  snellen meteor --stdio --meteor-data DIR   # SCORE |||, EVAL ||| on stdin");
  return verb_with(
      verb,
      S{},
      config::joined(
          {{option(&S::texts, "texts", "the hypothesis and one or more references")
                .whole_words()
                .positional()
                .many(),
            option(&S::is_stdio, "stdio", "answer SCORE, EVAL and SING lines as the jar does"),
            option(&S::input, "input", "JSON lines to score; -: stdin").value("FILE"),
            option(&S::task, "task", "METEOR's parameters: rank adq hter li tune")},
           config::nested(&S::flags, meteor_options())}),
      [&context](const S& command) {
        if (command.texts.size() == 1)
          throw Error{ErrorCode::kUsage,
                      "a hypothesis needs at least one reference",
                      "meteor",
                      "snellen meteor HYPOTHESIS REFERENCE..."};
        expect_texts(command.texts);
        if (command.is_stdio && !command.texts.empty())
          throw Error{ErrorCode::kUsage, "takes no texts: it reads them from stdin", "--stdio"};
        Meteor meteor = open_meteor(command);
        if (command.is_stdio) {
          serve(meteor);
        } else {
          score_texts(meteor, command, context.wants_json);
        }
        return 0;
      });
}

}  // namespace snellen::cli
