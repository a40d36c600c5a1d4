// SPDX-License-Identifier: Apache-2.0
// `snellen patch`: weights between those of an original and of a fine-tuned checkpoint.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/probe_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/base/parse_number.h"
#include "snellen/config/groups.h"
#include "snellen/report/alpha_curve.h"
#include "snellen/run/catalogue.h"
#include "snellen/training/patch.h"
#include "snellen/training/probes/evaluation_json.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFailedItems = 4;

[[noreturn]] void refuse_alphas(const std::string& text, const char* what) {
  throw Error{ErrorCode::kUsage,
              fmt::format("'{}': {}", text, what),
              "--alphas",
              "give numbers from 0 to 1, as 0,0.2,1 or 0,0.1,..,1"};
}

double number_of(std::string_view part, const std::string& text) {
  const std::optional<double> value = parse_number<double>(part);
  if (!value || !(*value >= 0 && *value <= 1))
    refuse_alphas(text, "is not a list of numbers from 0 to 1");
  return *value;
}

// "0,0.1,..,1": the numbers, and those of equal steps where dots stand.
std::vector<double> alphas_of(const std::string& text) {
  constexpr size_t kMost = 1001;
  std::vector<double> alphas;
  bool goes_on = false;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (part == ".." || part == "...") {
      if (alphas.size() < 2 || goes_on) refuse_alphas(text, "dots follow two numbers");
      goes_on = true;
      continue;
    }
    const double value = number_of(part, text);
    if (goes_on) {
      const double first = alphas[alphas.size() - 2];
      const double step = alphas.back() - first;
      const double count = step == 0 ? -1 : std::round((value - first) / step);
      if (!(count >= 2 && count < static_cast<double>(kMost)))
        refuse_alphas(text, "the steps do not lead to the last number");
      // Twelve digits, so that 0.1 and 3 steps make 0.3.
      for (double i = 2; i < count; ++i)
        alphas.push_back(std::round((first + i * step) * 1e12) / 1e12);
      goes_on = false;
    }
    alphas.push_back(value);
  }
  if (goes_on || alphas.size() > kMost) refuse_alphas(text, "ends in dots, or is too long");
  return alphas;
}

// One row for every alpha, that of the original for 0.
std::vector<report::AlphaRow> curve_of(const training::PatchSummary& summary) {
  std::vector<report::AlphaRow> rows;
  rows.push_back({0, summary.original.string(), summary.original_scores});
  for (const training::PatchedModel& model : summary.models) {
    if (model.alpha == 0) {
      rows.front().folder = model.folder.string();
    } else {
      rows.push_back({model.alpha, model.folder.string(), model.scores});
    }
  }
  std::stable_sort(
      rows.begin(), rows.end(), [](const report::AlphaRow& a, const report::AlphaRow& b) {
        return a.alpha < b.alpha;
      });
  return rows;
}

Json curve_json(const training::PatchSettings& flags,
                const training::PatchSummary& summary,
                const std::vector<report::AlphaRow>& rows,
                std::optional<size_t> chosen) {
  Json curve = {
      {"schema", 1}, {"original", summary.original.string()}, {"fine_tuned", flags.tuned}};
  for (const report::AlphaRow& row : rows) {
    Json scores = Json::array();
    for (const metrics::Measurement& score : row.scores)
      scores.push_back(training::score_to_json(score));
    curve["rows"].push_back({{"alpha", row.alpha}, {"folder", row.folder}, {"scores", scores}});
  }
  curve["failed"] = summary.num_failed;
  if (!flags.best_of.empty()) {
    curve["best"] = {{"of", flags.best_of}, {"at_most_drop", flags.most_drop}};
    curve["best"]["alpha"] = chosen ? Json(rows[*chosen].alpha) : Json();
    curve["best"]["folder"] = chosen ? Json(rows[*chosen].folder) : Json();
  }
  return curve;
}

// Writes curve.json and curve.svg, prints the table unless --json wants what is returned.
Json show_curve(const Context& context,
                const training::PatchSettings& flags,
                const training::PatchSummary& summary) {
  const std::vector<report::AlphaRow> rows = curve_of(summary);
  std::optional<size_t> chosen;
  if (!flags.best_of.empty()) chosen = report::best_alpha(rows, {flags.best_of, flags.most_drop});
  Json curve = curve_json(flags, summary, rows, chosen);
  const fs::path output = flags.output;
  write_text_file(output / "curve.json",
                  curve.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  write_text_file(output / "curve.svg", report::alpha_curve_svg(rows, chosen));
  if (context.wants_json) return curve;
  fmt::print("{}", report::alpha_table(rows, chosen).as_text(kTextWidth));
  if (chosen) {
    fmt::print("best on {} while naming falls by less than {} points: alpha {}, {}\n",
               flags.best_of,
               100 * flags.most_drop,
               rows[*chosen].alpha,
               rows[*chosen].folder);
  } else if (!flags.best_of.empty()) {
    fmt::print("no alpha has a share of {}\n", flags.best_of);
  }
  fmt::print("wrote {} and curve.svg beside it\n", (output / "curve.json").string());
  return curve;
}

int run_patch(const Context& context, const training::PatchSettings& flags) {
  const bool is_sweep = !flags.alphas.empty();
  const std::vector<double> alphas =
      is_sweep ? alphas_of(flags.alphas) : std::vector<double>{flags.alpha};
  if (flags.asks_probes() && !is_sweep)
    throw Error{ErrorCode::kUsage, "a curve needs several alphas", "--alphas", "0,0.1,..,1"};
  BuildProgress progress;
  Json written = Json::array();
  auto show = [&](const training::PatchedModel& model) {
    written.push_back({{"output", model.folder.string()},
                       {"alpha", model.alpha},
                       {"tensors", model.blend.num_tensors},
                       {"equal", model.blend.num_equal},
                       {"bytes", model.blend.num_bytes}});
    if (context.wants_json) return;
    fmt::print("{}: alpha {}, {} tensors, {} of them the same in both\n",
               model.folder.string(),
               model.alpha,
               model.blend.num_tensors,
               model.blend.num_equal);
  };
  const training::PatchSummary summary = training::patch(
      flags,
      alphas,
      {.installation = context.catalogue.installation,
       .probes = open_probe_tasks(context, flags),
       .observe = [&](std::string_view what,
                      uint64_t done,
                      uint64_t total) { progress.show(std::string(what), done, total); },
       .on_model = show});
  for (const Error& error : summary.bad_records)
    print_note("snellen: left out: {}\n", error.what());
  for (const std::string& reason : summary.reasons)
    print_note("snellen: probe item failed: {}\n", reason);
  Json all = std::move(written);
  if (flags.asks_probes())
    all = {{"written", std::move(all)}, {"curve", show_curve(context, flags, summary)}};
  if (context.wants_json)
    fmt::print("{}\n", all.dump(1, ' ', false, Json::error_handler_t::replace));
  return summary.num_failed > 0 ? kFailedItems : 0;
}

}  // namespace

std::function<int()> add_patch(Command app, Context& context) {
  using config::option;
  using S = training::PatchSettings;
  Command verb =
      app.add_subcommand("patch", "blend the weights of an original and a fine-tuned model");
  verb.footer(
      "Every tensor becomes (1 - alpha) * original + alpha * fine-tuned. The result is a folder\n"
      "like the original's; alpha 0 and 1 are exact copies. A sweep writes DIR/alpha-0,\n"
      "DIR/alpha-0.1, ... With --probe every model of the sweep is evaluated; a table, curve.json\n"
      "and curve.svg show what improves and what gets worse.\n"
      "Examples:\n"
      "  snellen patch clip clip_finetuned --alpha 0.2 --output clip_patched\n"
      "  snellen patch clip clip_finetuned --alphas 0,0.1,..,1 --output sweep\n"
      "      --probe eyechart/contrasts/direction.jsonl --probe-images eyechart\n"
      "      --best-of direction");
  std::vector<config::Option> own = config::joined(
      {{option(&S::original, "original", "folder of the original model").positional().required(),
        option(&S::tuned, "fine-tuned", "folder of the model that was fine-tuned from it")
            .positional()
            .required(),
        option(&S::output, "output", "folder to write to")
            .alias("o", "out")
            .value("DIR")
            .required(),
        option(&S::alpha, "alpha", "weight of the fine-tuned model").range(0, 1),
        option(&S::alphas, "alphas", "several values, one folder each: 0,0.1,..,1")
            .excludes("alpha")
            .value("LIST")},
       config::grouped(
           "Evaluation of a sweep",
           {option(&S::best_of, "best-of", "name the alpha that is best on this probe"),
            option(
                &S::most_drop,
                "at-most-drop",
                "with --best-of: skip alphas whose naming accuracy falls by more than this share")
                .range(0, 1)
                .needs("best-of"),
            option(&S::instances,
                   "instances",
                   "COCO instances file for the naming accuracy (default: scenes of the eyechart)")
                .needs("images")
                .value("FILE"),
            option(&S::images, "images", "folder of the images that --instances names")
                .needs("instances")
                .value("DIR"),
            option(&S::device, "device", "device of the evaluation: cpu, cuda or cuda:N"),
            option(&S::dtype, "dtype", "number type of the evaluation")
                .choices({"fp32", "bf16", "fp16"}),
            threads_option(&S::num_threads)})});
  return verb_with(verb,
                   S{},
                   config::joined({std::move(own),
                                   config::inherited<S, training::ProbeSettings>(probe_options())}),
                   [&context](const S& settings) { return run_patch(context, settings); });
}

}  // namespace snellen::cli
