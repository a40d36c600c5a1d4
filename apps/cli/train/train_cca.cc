// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/train_cca.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "snellen/cca/dialog_model.h"
#include "snellen/config/groups.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {
namespace {

struct CcaFlags {
  cca::DialogFitSettings fit;
  std::string output;
  unsigned num_threads = 0;
};

int run_fit(const Context& context, const CcaFlags& flags) {
  if (std::filesystem::exists(flags.output))
    throw Error{ErrorCode::kUsage,
                "is there already",
                flags.output,
                "name a new folder with --output, or remove this one"};
  BuildProgress progress;
  const cca::DialogModel model =
      cca::fit_dialogs(flags.fit,
                       batch_threads(flags.num_threads, 1024),
                       [&](std::string_view step, uint64_t done, uint64_t total) {
                         progress.show(step, done, total);
                       });
  model.write(flags.output);
  const auto& values = model.projections.eigenvalues;
  const size_t num_words = model.encoder.vocabulary().size();
  const size_t num_missing = model.encoder.num_without_vector();
  if (model.projections.eps > flags.fit.fit.eps)
    print_note("snellen: {} was added to the diagonals of the covariances, which are singular\n",
               model.projections.eps);
  if (num_missing > 0)
    print_note(
        "snellen: {} of {} words have no vector and count as zeros\n", num_missing, num_words);
  if (context.wants_json) {
    const nlohmann::ordered_json json = {{"output", flags.output},
                                         {"rows", model.num_rows},
                                         {"dimensions", model.projections.num_dimensions()},
                                         {"words", num_words},
                                         {"words_without_vector", num_missing},
                                         {"eps", model.projections.eps},
                                         {"largest_eigenvalue", values(0)},
                                         {"smallest_eigenvalue", values(values.size() - 1)}};
    fmt::print("{}\n", store::json_text(json, 1));
    return 0;
  }
  fmt::print("{} rows, {} words, {} dimensions, eigenvalues {:.6f} to {:.6f}\nwrote {}\n",
             model.num_rows,
             num_words,
             model.projections.num_dimensions(),
             values(0),
             values(values.size() - 1),
             flags.output);
  return 0;
}

}  // namespace

std::function<int()> add_train_cca(Command train, Context& context) {
  using config::nested;
  using config::option;
  using S = CcaFlags;
  using Fit = cca::DialogFitSettings;
  Command verb =
      train.add_subcommand("cca", "fit canonical correlations of VisDial answers and questions");
  verb.footer(
      "Writes a folder that `build densevisdial`, `build visdial-generations` and\n"
      "`run --model cca:DIR` read. With --image-features the pictures are a third view.\n"
      "Examples:\n"
      "  snellen train cca --dialogs visdial_1.0_train.json --fasttext wiki.en.bin\n"
      "      --output cca\n"
      "  snellen train cca --dialogs visdial_1.0_train.json visdial_1.0_val.json\n"
      "      --annotations train_dense.json val_dense.json --pairs human\n"
      "      --fasttext wiki.en.bin --output cca_human");
  std::vector<config::Option> fit = config::joined(
      {{option(&Fit::dialogs, "dialogs", "VisDial dialogs; words are those of the first file")
            .value("FILE")
            .many()
            .required(),
        option(&Fit::pairs,
               "pairs",
               "what is paired with a question: its recorded answer, or those that people chose",
               {{"all", cca::PairChoice::kAll}, {"human", cca::PairChoice::kHuman}}),
        option(&Fit::annotations,
               "annotations",
               "with --pairs human: people's relevances, one file per file of dialogs")
            .value("FILE")
            .many(),
        option(&Fit::image_features,
               "image-features",
               "a matrix .npy with a row per dialog, or {\"dim\", \"vectors\": {image_id: "
               "[numbers]}}, one file per file of dialogs")
            .value("FILE")
            .many(),
        option(&Fit::power, "p", "power of the eigenvalues that scale the dimensions"),
        option(&Fit::least_count, "min-count", "a word must come this often").range(1)},
       nested(&Fit::vectors,
              {option(&annotations::WordVectorPlaces::fasttext, "fasttext", "fastText model, .bin")
                   .value("FILE"),
               option(&annotations::WordVectorPlaces::word_vectors,
                      "word-vectors",
                      "table {\"dim\", \"vectors\": {word: [numbers]}} instead")
                   .value("FILE")}),
       nested(
           &Fit::fit,
           {option(&cca::FitOptions::num_dimensions, "k", "dimensions that are kept").range(1),
            option(&cca::FitOptions::method,
                   "method",
                   "one eigenproblem over all views, or Mardia's whitening of two",
                   {{"generalised", cca::Method::kGeneralised}, {"mardia", cca::Method::kMardia}}),
            option(&cca::FitOptions::eps, "eps", "added to the diagonals of covariances").range(0),
            option(&cca::FitOptions::ridge, "ridge", "with mardia: added within views")
                .range(0)})});
  return verb_with(verb,
                   S{},
                   config::joined({nested(&S::fit, std::move(fit)),
                                   {option(&S::output, "output", "folder to write")
                                        .alias("o", "out")
                                        .value("DIR")
                                        .required(),
                                    threads_option(&S::num_threads)}}),
                   [&context](const S& settings) { return run_fit(context, settings); });
}

}  // namespace snellen::cli
