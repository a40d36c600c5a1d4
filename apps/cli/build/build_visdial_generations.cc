// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/densevisdial/generate.h"
#include "snellen/builders/output_folder.h"
#include "snellen/cca/answer_finder.h"
#include "snellen/config/groups.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
namespace dense = builders::densevisdial;

struct GenerationFlags : BuildFlags {
  // Written out because GCC 12 takes members of the implicit one for uninitialized.
  GenerationFlags() : counts(1, 1) {}

  fs::path projections;
  fs::path training_dialogs;
  fs::path dialogs;
  std::vector<size_t> counts;
  bool is_compat = false;
  bool is_interactive = false;
};

// Answers the questions of standard input, a line each.
int answer_lines(const GenerationFlags& flags, const cca::DialogModel& model) {
  BuildProgress progress;
  const builders::Workers workers = workers_of(flags, progress);
  const cca::AnswerFinder finder(
      model, flags.training_dialogs, flags.is_compat, workers.num_threads, workers.observe);
  cca::Rows row(1, static_cast<int64_t>(model.encoder.dim()));
  for (std::string line; std::getline(std::cin, line);) {
    model.encoder.encode(line, {row.data(), model.encoder.dim()});
    const cca::AnswerFinder::Lists lists = finder.find(row, flags.counts);
    for (const std::string& text : lists[0][0].texts) fmt::print("{}\n", text);
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}

int run_generate(const Context& context, const GenerationFlags& flags) {
  for (const size_t count : flags.counts)
    if (count < 1 || count > 1000)
      throw Error{
          ErrorCode::kUsage, fmt::format("{} answers per question", count), "--k", "1 to 1000"};
  if (flags.is_interactive && flags.counts.size() != 1)
    throw Error{ErrorCode::kUsage,
                fmt::format("{} numbers of answers were given", flags.counts.size()),
                "--k",
                "--interactive takes one"};
  const cca::DialogModel model = cca::DialogModel::read(flags.projections);
  if (flags.is_interactive) return answer_lines(flags, model);
  if (flags.dialogs.empty() || flags.out.empty())
    throw Error{ErrorCode::kUsage,
                "dialogs and a folder to write to are both needed",
                flags.dialogs.empty() ? "--dialogs" : "--out",
                "or --interactive, to answer questions of standard input"};
  BuildProgress progress;
  std::vector<fs::path> names;
  for (const size_t count : flags.counts) names.push_back(dense::generations_name(count));
  const FileLock lock = builders::open_output_folder(flags.out, "visdial-generations", names);
  builders::BuildReport report =
      dense::generate(model,
                      flags.training_dialogs,
                      flags.dialogs,
                      {.counts = flags.counts, .is_compat = flags.is_compat},
                      flags.out,
                      workers_of(flags, progress));
  builders::write_record(
      {.builder = "visdial-generations",
       .options = {},
       .sources = {{"projections", builders::shown_path(flags.projections)},
                   {"training-dialogs", builders::shown_path(flags.training_dialogs)},
                   {"dialogs", builders::shown_path(flags.dialogs)}}},
      flags.out,
      report);
  return show_build(context, report, flags.out);
}

}  // namespace

std::function<int()> add_build_visdial_generations(Command build, Context& context) {
  using config::option;
  using S = GenerationFlags;
  Command verb = build.add_subcommand("visdial-generations",
                                      "answers of the nearest training questions (CCA-AQ-G)");
  verb.footer(
      "Writes DIR/gens_k1.json and so on, which `score visdial-gen --generations` reads.\n"
      "Examples:\n"
      "  snellen build visdial-generations --projections cca --k 1,5,10,15\n"
      "      --training-dialogs visdial_1.0_train.json --dialogs visdial_1.0_val.json\n"
      "      --out generations\n"
      "  echo 'is it sunny?' | snellen build visdial-generations --projections cca\n"
      "      --training-dialogs visdial_1.0_train.json --k 5 --interactive");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>({option(&BuildFlags::out, "out", "folder to write to")
                                                 .alias("o", "output")
                                                 .value("DIR"),
                                             threads_option(&BuildFlags::num_threads)}),
           {option(&S::projections, "projections", "folder of a fitted CCA (`snellen train cca`)")
                .value("DIR")
                .required(),
            option(&S::training_dialogs, "training-dialogs", "dialogs whose answers are given")
                .value("FILE")
                .required(),
            option(&S::dialogs, "dialogs", "dialogs whose questions are answered").value("FILE"),
            option(&S::counts, "k", "answers per question; several make a file each"),
            option(&S::is_interactive, "interactive", "answer the questions of standard input"),
            option(&S::is_compat,
                   "compat",
                   "order answers as the published code does, without centring them")}}),
      [&context](const S& flags) { return run_generate(context, flags); });
}

}  // namespace snellen::cli
