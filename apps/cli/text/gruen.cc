// SPDX-License-Identifier: Apache-2.0
// GRUEN of texts (docs/spec/vilma.md 7.8): how well a text is written, line in, score out.
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/text/gruen_scorer.h"
#include "apps/cli/verb.h"

namespace snellen::cli {
namespace {

constexpr size_t kMostLineBytes = size_t{1} << 20;

struct GruenFlags {
  std::string input = "-";
  std::string mlm;
  std::string cola;
};

int run_gruen(const Context& context, const GruenFlags& flags) {
  const GruenScorer scorer(context, flags.mlm, "--mlm", flags.cola, "--cola");
  std::ifstream file;
  if (flags.input != "-") file.open(flags.input);
  if (flags.input != "-" && !file)
    throw Error{ErrorCode::kNotFound, "cannot be opened", flags.input, "check the path, or pass -"};
  std::istream& lines = flags.input == "-" ? std::cin : file;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > kMostLineBytes)
      throw Error{ErrorCode::kInvalidInput, "a line has more than 1 MiB", flags.input};
    if (line.ends_with('\r')) line.pop_back();
    const Gruen gruen = scorer.score(line);
    if (context.wants_json) {
      print_json({{"grammaticality", gruen.grammaticality},
                  {"redundancy", gruen.redundancy},
                  {"gruen", gruen.total}});
    } else {
      fmt::print("{:.6f}\t{:.1f}\t{:.6f}\n", gruen.grammaticality, gruen.redundancy, gruen.total);
    }
    std::fflush(stdout);
  }
  if (lines.bad()) throw Error{ErrorCode::kIo, "cannot be read to its end", flags.input};
  return 0;
}

}  // namespace

std::function<int()> add_gruen(Command app, Context& context) {
  using config::option;
  using S = GruenFlags;
  Command verb = app.add_subcommand("gruen", "how well each line is written: GRUEN");
  verb.footer(
      "Prints grammaticality, redundancy and GRUEN, one line for each line read; --json prints\n"
      "objects. GRUEN's focus needs the similarity of neighbouring sentences, which is not\n"
      "computed: texts of several sentences have no total (nan). Captions are one sentence.\n"
      "Example:\n  snellen gruen captions.txt --mlm bert-base-cased --cola bert-cola");
  return verb_with(
      verb,
      S{},
      {option(&S::input, "input", "file with one text per line; -: stdin").positional(),
       option(&S::mlm, "mlm", "BERT folder with a masked-language-model head")
           .value("DIR")
           .required(),
       option(&S::cola, "cola", "BERT folder that classifies acceptability; class 1 is acceptable")
           .value("DIR")
           .required()},
      [&context](const S& flags) { return run_gruen(context, flags); });
}

}  // namespace snellen::cli
