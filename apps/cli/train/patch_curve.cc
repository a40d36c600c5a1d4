// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/patch_curve.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "snellen/base/files.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/run/zeroshot_set.h"
#include "snellen/training/probes/evaluation_json.h"
#include "snellen/training/probes/naming_probe.h"
#include "snellen/training/probes/network_probe_scorer.h"
#include "snellen/training/probes/task_probe.h"
#include "snellen/training/probes/world_probe.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::unique_ptr<training::ProbeSource> instances_probe(const training::PatchSettings& flags,
                                                       const media::ImageProcessor& processor) {
  const run::ZeroshotSet set =
      run::zeroshot_instances(flags.instances, flags.images, run::RightClass::kAny);
  for (const Error& error : set.bad_records) print_note("snellen: left out: {}\n", error.what());
  std::vector<std::string> texts;
  for (const std::string& name : set.classes)
    texts.push_back(run::zeroshot_prompts(name, run::ZeroshotOptions().templates).at(0));
  std::vector<training::NamedFile> pictures;
  for (const run::ZeroshotPicture& picture : set.pictures)
    pictures.push_back({picture.file, picture.right});
  return training::naming_probe(std::move(texts), std::move(pictures), processor);
}

}  // namespace

// What is the same in all models of the sweep, and the module that reads them.
struct PatchCurve::Opened {
  models::NetworkModule module;
  models::NetworkOptions options;
  std::unique_ptr<const text::Tokenizer> tokenizer;
  media::ImageProcessor processor;
  size_t max_tokens = 0;

  std::unique_ptr<const models::Network> load(const fs::path& folder) const {
    const models::Checkpoint checkpoint(folder);
    return module.architecture_of(checkpoint).load(checkpoint, options);
  }
};

PatchCurve::PatchCurve(const Context& context,
                       const training::PatchSettings& flags,
                       const fs::path& original)
    : context_(context), flags_(flags), original_(original) {
  const NetworkFlags network = {
      .model = original.string(), .device = flags.device, .dtype = flags.dtype};
  opened_ = std::make_unique<Opened>(
      Opened{.module = open_network_module(context),
             .options = network_options(network),
             .tokenizer = open_tokenizer(context, original),
             .processor = media::ImageProcessor(media::read_processor_config(original))});
  const std::unique_ptr<const models::Network> loaded = opened_->load(original);
  opened_->max_tokens = static_cast<size_t>(loaded->facts().max_text_tokens);
  make_set();
  check_best_of();
  rows_.push_back(
      {.alpha = 0, .folder = original.string(), .scores = scores_of(original, *loaded)});
}

PatchCurve::~PatchCurve() = default;

void PatchCurve::make_set() {
  const bool has_nothing = flags_.probe_files.empty() && flags_.instances.empty();
  const bool wants_world = flags_.wants_held_out_world() || has_nothing;
  if (wants_world && !flags_.instances.empty())
    throw Error{ErrorCode::kUsage,
                "names things already",
                "--probe eyechart",
                "leave out --instances, or the eyechart"};
  std::vector<std::unique_ptr<training::ProbeSource>> sources;
  for (training::ProbeTask& probe : open_probe_tasks(context_, flags_))
    sources.push_back(training::task_probe(std::move(probe.task), probe.file, opened_->processor));
  sources.push_back(flags_.instances.empty()
                        ? training::world_probe({.seed = training::held_out_scenes().seed,
                                                 .num_scenes = flags_.probe_scenes,
                                                 .is_naming_alone = !wants_world},
                                                opened_->processor)
                        : instances_probe(flags_, opened_->processor));
  probes_ = std::make_unique<training::ProbeSet>(
      std::move(sources),
      *opened_->tokenizer,
      training::ProbeSetOptions{.max_tokens = opened_->max_tokens,
                                .num_threads = batch_threads(flags_.num_threads, 1024)});
}

void PatchCurve::check_best_of() const {
  const std::vector<std::string>& known = probes_->names();
  if (flags_.best_of.empty() ||
      std::find(known.begin(), known.end(), flags_.best_of) != known.end())
    return;
  throw Error{ErrorCode::kUsage,
              fmt::format("nothing called '{}' is asked", flags_.best_of),
              "--best-of",
              fmt::format("known are {}", fmt::join(known, ", "))};
}

std::vector<metrics::Measurement> PatchCurve::scores_of(const fs::path& folder,
                                                        const models::Network& network) {
  BuildProgress progress;
  training::ProbeScorer scorer = training::network_probe_scorer(network, opened_->processor);
  scorer.is_safe_from_threads = opened_->options.device == "cpu";
  scorer.observe = [&](uint64_t done, uint64_t total) {
    progress.show(fmt::format("asking {}", folder.filename().string()), done, total);
  };
  training::ProbeReport report = probes_->ask(scorer);
  if (num_failed_ == 0) {
    for (const std::string& reason : report.reasons) print_note("snellen: not asked: {}\n", reason);
  }
  num_failed_ += report.num_failed;
  return std::move(report.scores);
}

void PatchCurve::ask(double alpha, const fs::path& folder) {
  if (alpha == 0) {
    rows_.front().folder = folder.string();
    return;
  }
  const std::unique_ptr<const models::Network> network = opened_->load(folder);
  rows_.push_back(
      {.alpha = alpha, .folder = folder.string(), .scores = scores_of(folder, *network)});
}

std::string PatchCurve::finish(const fs::path& output, const std::string& tuned) {
  std::stable_sort(
      rows_.begin(), rows_.end(), [](const report::AlphaRow& a, const report::AlphaRow& b) {
        return a.alpha < b.alpha;
      });
  std::optional<size_t> chosen;
  if (!flags_.best_of.empty())
    chosen = report::best_alpha(rows_, {flags_.best_of, flags_.most_drop});
  Json curve = {{"schema", 1}, {"original", original_.string()}, {"fine_tuned", tuned}};
  for (const report::AlphaRow& row : rows_) {
    Json scores = Json::array();
    for (const metrics::Measurement& score : row.scores)
      scores.push_back(training::score_to_json(score));
    curve["rows"].push_back({{"alpha", row.alpha}, {"folder", row.folder}, {"scores", scores}});
  }
  curve["failed"] = num_failed_;
  if (!flags_.best_of.empty()) {
    curve["best"] = {{"of", flags_.best_of}, {"at_most_drop", flags_.most_drop}};
    curve["best"]["alpha"] = chosen ? Json(rows_[*chosen].alpha) : Json();
    curve["best"]["folder"] = chosen ? Json(rows_[*chosen].folder) : Json();
  }
  std::string text = curve.dump(1, ' ', false, Json::error_handler_t::replace);
  write_text_file(output / "curve.json", text + "\n");
  write_text_file(output / "curve.svg", report::alpha_curve_svg(rows_, chosen));
  if (context_.wants_json) return text;
  fmt::print("{}", report::alpha_table(rows_, chosen).as_text());
  if (chosen) {
    fmt::print("best on {} while naming falls by less than {} points: alpha {}, {}\n",
               flags_.best_of,
               100 * flags_.most_drop,
               rows_[*chosen].alpha,
               rows_[*chosen].folder);
  } else if (!flags_.best_of.empty()) {
    fmt::print("no alpha has a share of {}\n", flags_.best_of);
  }
  fmt::print("wrote {} and curve.svg beside it\n", (output / "curve.json").string());
  return text;
}

}  // namespace snellen::cli
