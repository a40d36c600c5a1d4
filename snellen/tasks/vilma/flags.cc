// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/flags.h"

#include <fmt/format.h>

#include "snellen/tasks/judged.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks::vilma {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string what, const char* where, const char* hint) {
  throw Error{ErrorCode::kUsage, std::move(what), where, hint};
}

void check_files(const VilmaSettings& settings, const Wanted& wanted) {
  if (!wanted.suite.empty()) {
    const char* given = !settings.annotation_files.empty() ? "--annotation-file"
                        : !settings.input_files.empty()    ? "--input-file"
                        : !settings.mode.empty()           ? "--mode"
                                                           : nullptr;
    if (given != nullptr)
      refuse("cannot be combined with --suite, whose rows name files and modes",
             given,
             "leave one of them out");
    return;
  }
  if (wanted.annotations.empty()) {
    refuse("no annotation file named", "--annotation-file", "for example -a relations.json");
  }
  if (wanted.results.empty() || wanted.results.size() > 2) {
    refuse(fmt::format("{} results files named, expected one, or proficiency and main",
                       wanted.results.size()),
           "--input-file",
           "for example -i main.json, or -i proficiency.json main.json");
  }
  if (wanted.results.size() == 1 && settings.mode.empty()) {
    refuse("no mode named", "--mode", "-m similarity, -m probability or -m perplexity");
  }
}

std::vector<fs::path> annotation_files(const std::vector<std::string>& names,
                                       const fs::path& data) {
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    const bool is_in_data = !fs::exists(name) && fs::exists(data / name);
    files.push_back(is_in_data ? data / name : fs::path(name));
  }
  return files;
}

metrics::FoilTies foil_ties(metrics::Ties ties) {
  switch (ties) {
    case metrics::Ties::kWrong:
      return metrics::FoilTies::kFoil;
    case metrics::Ties::kHalf:
      return metrics::FoilTies::kHalf;
    case metrics::Ties::kRight:
      return metrics::FoilTies::kCaption;
  }
  return metrics::FoilTies::kFoil;
}

}  // namespace

config::Block settings_block() {
  using annotations::OnConflict;
  using annotations::VilmaFilter;
  using config::option;
  using metrics::OnLengthMismatch;
  using metrics::OnMissing;
  using metrics::OnNonFinite;
  using S = VilmaSettings;
  return {
      S{},
      {option(&S::annotation_files, "annotation-file", "annotation files with disjoint ids")
           .alias("a")
           .identity(false)
           .many()
           .value("FILE"),
       option(&S::input_files, "input-file", "one results file, or two: proficiency, then main")
           .alias("i", "input-files")
           .identity(false)
           .many()
           .value("FILE"),
       option(&S::suite,
              "suite",
              "JSON rows {case, annotation, mode, main, prof}, alone or under `inputs`")
           .identity(false)
           .value("FILE"),
       option(&S::mode, "mode", "what the scores are (two results files: similarity by default)")
           .alias("m")
           .choices({"similarity", "probability", "perplexity"}),
       option(&S::filter,
              "filter",
              "which human validations an item must have passed",
              {{"both", VilmaFilter::kBoth},
               {"main", VilmaFilter::kMain},
               {"prof", VilmaFilter::kProf},
               {"none", VilmaFilter::kNone}})
           .omit_default(),
       option(
           &S::missing,
           "missing",
           "how evaluated items without scores count",
           {{"error", OnMissing::kError}, {"skip", OnMissing::kSkip}, {"wrong", OnMissing::kWrong}})
           .omit_default(),
       option(&S::non_finite,
              "nonfinite",
              "how items with NaN or infinite scores count",
              {{"error", OnNonFinite::kError}, {"wrong", OnNonFinite::kWrong}})
           .omit_default(),
       option(&S::length_mismatch,
              "length-mismatch",
              "how items count whose number of scores is not 1 + foils",
              {{"error", OnLengthMismatch::kError}, {"truncate", OnLengthMismatch::kTruncate}})
           .omit_default(),
       option(&S::drops_degenerate,
              "drop-degenerate",
              "leave out items whose caption is one of its foils or whose foils repeat")
           .omit_default(),
       option(&S::is_only_valid, "only-valid", "with a model: score only items that pass --filter")
           .omit_default(),
       option(
           &S::is_proficiency_alone, "proficiency", "with a model: ask only the proficiency texts")
           .omit_default(),
       option(
           &S::sampler,
           "sampler",
           "with a model: frames of a clip: uniform (default), window (the reference's, and that "
           "of --compat), all, fps:N (with --num-frames no more than those, evenly)"),
       option(&S::num_frames,
              "num-frames",
              "with a model: frames per clip (default: what the model takes, else 8)")
           .range(1, 256),
       option(&S::quva,
              "quva-dir",
              "folder of normalized_videos/ (default: QUVA beside the annotations)")
           .identity(false)
           .value("DIR"),
       option(&S::something_something,
              "something-something-dir",
              "folder of {id}.webm (default: something-something-v2 beside the annotations)")
           .identity(false)
           .value("DIR"),
       option(&S::star, "star-dir", "folder of {video}.mp4 (default: star beside the annotations)")
           .identity(false)
           .value("DIR"),
       option(&S::youtube,
              "youtube-dir",
              "folder of {youtube id}.mp4 (default: youtube beside the annotations)")
           .identity(false)
           .value("DIR"),
       option(&S::clips,
              "clip-cache",
              "folder of {item id}.mp4, already cut (default: clips beside the annotations)")
           .identity(false)
           .value("DIR"),
       option(&S::merge, "merge", "with score: join these results files into one, in this order")
           .unstamped()
           .many()
           .value("FILE"),
       option(&S::merged, "output-file", "with --merge: the results file to write")
           .alias("o")
           .unstamped()
           .value("FILE"),
       option(&S::on_conflict,
              "on-conflict",
              "with --merge: an id that two files give",
              {{"last", OnConflict::kLast}, {"error", OnConflict::kError}})
           .unstamped()}};
}

bool is_asked(const config::Options& options) {
  const auto& settings = options.get<VilmaSettings>();
  return options.get<SharedSettings>().adapter != "given" && settings.suite.empty() &&
         settings.input_files.empty();
}

Wanted wanted_by(const config::Options& options, bool is_compat) {
  const auto& settings = options.get<VilmaSettings>();
  Wanted wanted;
  wanted.suite = settings.suite;
  wanted.data = options.get<SharedSettings>().data;
  wanted.annotations = annotation_files(settings.annotation_files, wanted.data);
  wanted.results.assign(settings.input_files.begin(), settings.input_files.end());
  if (!is_asked(options)) check_files(settings, wanted);
  wanted.selection.filter = settings.filter;
  wanted.selection.drop_degenerate = settings.drops_degenerate;
  metrics::FoilRules& rules = wanted.rules;
  rules.is_compat = is_compat;
  rules.mode = metrics::foil_mode_of(settings.mode).value_or(metrics::FoilMode::kSimilarity);
  rules.ties = foil_ties(ties_flag(options).value_or(metrics::Ties::kWrong));
  rules.missing = settings.missing;
  rules.non_finite = settings.non_finite;
  rules.length_mismatch = settings.length_mismatch;
  return wanted;
}

}  // namespace snellen::tasks::vilma
