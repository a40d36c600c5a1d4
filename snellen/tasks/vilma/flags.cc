// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/flags.h"

#include <fmt/format.h>

#include "snellen/tasks/judged.h"

namespace snellen::tasks::vilma {
namespace {

namespace fs = std::filesystem;
using config::OptionKind;

// Defaults are applied here and not declared, so that the stamps of other tasks stay free of them.
template <typename T>
T choice(const config::Options& options,
         const char* name,
         T standard,
         std::initializer_list<std::pair<std::string_view, T>> words) {
  const std::string& given = options.text(name);
  for (const auto& [word, value] : words) {
    if (given == word) return value;
  }
  return standard;
}

[[noreturn]] void refuse(std::string what, const char* where, const char* hint) {
  throw Error{ErrorCode::kUsage, std::move(what), where, hint};
}

void check_files(const config::Options& options, const Wanted& wanted) {
  if (!wanted.suite.empty()) {
    for (const char* name : {"annotation-file", "input-file", "mode"}) {
      if (options.text(name).empty()) continue;
      refuse("cannot be given together with --suite, whose rows name files and modes",
             fmt::format("--{}", name).c_str(),
             "leave one of them out");
    }
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
  if (wanted.results.size() == 1 && options.text("mode").empty()) {
    refuse("no mode named", "--mode", "-m similarity, -m probability or -m perplexity");
  }
}

std::vector<fs::path> annotation_files(const config::Options& options, const fs::path& data) {
  std::vector<fs::path> files;
  for (const std::string& name : options.list("annotation-file")) {
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

std::vector<config::OptionFacts> flags() {
  return {
      {.name = "annotation-file",
       .kind = OptionKind::kList,
       .help = "ViLMA: annotation files, one or several with disjoint ids",
       .aliases = {"a"},
       .is_identity = false,
       .takes_many = true},
      {.name = "input-file",
       .kind = OptionKind::kList,
       .help = "ViLMA: one results file, or two: proficiency, then main",
       .aliases = {"i", "input-files"},
       .is_identity = false,
       .takes_many = true},
      {.name = "suite",
       .help = "ViLMA: JSON rows {case, annotation, mode, main, prof}, alone or under `inputs`",
       .is_identity = false},
      {.name = "mode",
       .help = "ViLMA: what the scores are (with two results files: similarity unless said)",
       .choices = {"similarity", "probability", "perplexity"},
       .aliases = {"m"}},
      {.name = "filter",
       .help = "ViLMA: which human validations an item must have passed (default both)",
       .choices = {"both", "main", "prof", "none"}},
      {.name = "missing",
       .help = "ViLMA: evaluated items without scores (default error)",
       .choices = {"error", "skip", "wrong"}},
      {.name = "nonfinite",
       .help = "ViLMA: items with NaN or infinite scores (default error)",
       .choices = {"error", "wrong"}},
      {.name = "length-mismatch",
       .help = "ViLMA: items with another number of scores than 1 + foils (default error)",
       .choices = {"error", "truncate"}},
      {.name = "drop-degenerate",
       .kind = OptionKind::kFlag,
       .help = "ViLMA: leave out items whose caption is one of its foils or whose foils repeat"},
      {.name = "only-valid",
       .kind = OptionKind::kFlag,
       .help = "ViLMA, with a model: score only items that pass the filter"},
      {.name = "proficiency",
       .kind = OptionKind::kFlag,
       .help = "ViLMA, with a model: ask the proficiency texts alone, as the reference's flag"},
      {.name = "sampler",
       .help = "ViLMA, with a model: frames of a clip: uniform (default), window (the reference's, "
               "and --compat's), all, fps:N"},
      {.name = "num-frames",
       .kind = OptionKind::kInteger,
       .help = "ViLMA, with a model: frames a clip (default: what the model takes, else 8)"},
      {.name = "mask-video",
       .help = "with a checkpoint folder: `true` shows zeros instead of every clip",
       .choices = {"true", "false"}},
      {.name = "quva-dir",
       .help = "ViLMA: holds normalized_videos/ (default: QUVA beside the annotations)",
       .is_identity = false},
      {.name = "something-something-dir",
       .help = "ViLMA: {id}.webm (default: something-something-v2 beside the annotations)",
       .is_identity = false},
      {.name = "star-dir",
       .help = "ViLMA: {video}.mp4 (default: star beside the annotations)",
       .is_identity = false},
      {.name = "youtube-dir",
       .help = "ViLMA: {youtube id}.mp4 (default: youtube beside the annotations)",
       .is_identity = false},
      {.name = "clip-cache",
       .help = "ViLMA: {item id}.mp4, already cut (default: clips beside the annotations)",
       .is_identity = false},
  };
}

bool is_asked(const config::Options& options) {
  return options.text("adapter") != "given" && options.text("suite").empty() &&
         options.list("input-file").empty();
}

Wanted wanted_by(const config::Options& options, bool is_compat) {
  using annotations::VilmaFilter;
  using metrics::OnLengthMismatch;
  using metrics::OnMissing;
  using metrics::OnNonFinite;
  Wanted wanted;
  wanted.suite = options.text("suite");
  wanted.data = options.text("data");
  wanted.annotations = annotation_files(options, wanted.data);
  for (const std::string& name : options.list("input-file")) wanted.results.emplace_back(name);
  if (!is_asked(options)) check_files(options, wanted);
  wanted.selection.filter = choice(
      options,
      "filter",
      VilmaFilter::kBoth,
      {{"main", VilmaFilter::kMain}, {"prof", VilmaFilter::kProf}, {"none", VilmaFilter::kNone}});
  wanted.selection.drop_degenerate = options.flag("drop-degenerate");
  metrics::FoilRules& rules = wanted.rules;
  rules.is_compat = is_compat;
  rules.mode = metrics::foil_mode_of(options.text("mode")).value_or(metrics::FoilMode::kSimilarity);
  rules.ties = foil_ties(ties_flag(options).value_or(metrics::Ties::kWrong));
  rules.missing = choice(options,
                         "missing",
                         OnMissing::kError,
                         {{"skip", OnMissing::kSkip}, {"wrong", OnMissing::kWrong}});
  rules.non_finite =
      choice(options, "nonfinite", OnNonFinite::kError, {{"wrong", OnNonFinite::kWrong}});
  rules.length_mismatch = choice(options,
                                 "length-mismatch",
                                 OnLengthMismatch::kError,
                                 {{"truncate", OnLengthMismatch::kTruncate}});
  return wanted;
}

}  // namespace snellen::tasks::vilma
