// SPDX-License-Identifier: Apache-2.0
// `snellen zeroshot`: the task zeroshot without a run folder, top-1 and top-5 of naming what
// pictures show.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/run/run_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/run/catalogue.h"
#include "snellen/store/run_folder.h"
#include "snellen/tasks/named_values.h"
#include "snellen/tasks/zeroshot/set.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ZeroshotFlags {
  NetworkFlags network;
  tasks::ZeroshotSettings task;
  std::string images;
  std::string output;
  unsigned num_threads = 0;
  uint64_t limit = 0;
  double confidence = 0.95;
};

// The same as flags of `run`.
config::Options options_of(const Context& context, const ZeroshotFlags& flags) {
  config::Options options = run::run_options(context.catalogue);
  auto set = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) options.set(name, value, "zeroshot");
  };
  auto set_all = [&](const std::vector<config::Option>& declared, const void* owner) {
    for (const config::Option& one : declared) {
      for (const std::string& value : one.read(owner)) set(one.facts().name, value);
    }
  };
  set_all(network_flag_options(), &flags.network);
  set_all(tasks::zeroshot_options(), &flags.task);
  set("tasks", "zeroshot");
  set("root-image-dir", flags.images);
  set("limit", fmt::format("{}", flags.limit));
  set("confidence", fmt::format("{}", flags.confidence));
  set("num-workers", fmt::format("{}", batch_threads(flags.num_threads, 1024)));
  set("output", flags.output.empty() ? fs::temp_directory_path().string() : flags.output);
  return options;
}

// What the task kept of a picture.
tasks::NamedValues values_of(const store::Sample& sample) {
  return tasks::NamedValuesReader().read(sample.detail.json(), sample.item);
}

// One picture as a line of predictions.jsonl.
std::string line_of(const tasks::ZeroshotSet& set, const store::Sample& sample) {
  const tasks::ZeroshotPicture& picture = set.pictures.at(sample.position);
  Json right = Json::array();
  for (const uint32_t one : picture.right) right.push_back(set.classes[one]);
  Json json = {{"file", picture.file.filename().string()}, {"right", std::move(right)}};
  if (sample.error) {
    json["error"] = sample.error->message();
  } else {
    const tasks::NamedValues values = values_of(sample);
    json["named"] = values.get<std::vector<std::string>>("named");
    json["cosines"] = values.get<std::vector<double>>("scores");
    json["rank"] = values.get<int64_t>("rank");
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json result_json(const run::RunSummary& summary, const tasks::ZeroshotSet& set, uint64_t num_ties) {
  const store::SampleCounts& counts = summary.tasks.front().counts;
  Json metrics = Json::array();
  for (const metrics::Measurement& one : summary.results.metrics) {
    metrics.push_back({{"id", one.id},
                       {"value", one.n > 0 ? Json(one.value) : Json()},
                       {"n", one.n},
                       {"low", one.low ? Json(*one.low) : Json()},
                       {"high", one.high ? Json(*one.high) : Json()},
                       {"interval", one.low ? Json(one.interval) : Json()}});
  }
  return {{"schema", 1},
          {"classes", set.classes.size()},
          {"pictures", counts.total()},
          {"failed", counts.failed + counts.skipped},
          {"bad_records", set.bad_records.size()},
          {"ties", num_ties},
          {"truncated_prompts", summary.num_truncated},
          {"metrics", std::move(metrics)}};
}

int show(const Context& context,
         const run::RunSummary& summary,
         const tasks::ZeroshotSet& set,
         const Json& result) {
  if (context.wants_json) {
    fmt::print("{}\n", store::json_text(result, 1));
  } else {
    for (const metrics::Measurement& one : summary.results.metrics) {
      if (one.n == 0 || !one.low) continue;
      fmt::print("{}  {:.2f} %  [{:.2f}, {:.2f}]  {:.0f} of {}\n",
                 one.id.ends_with("top1") ? "top-1" : "top-5",
                 100 * one.value,
                 100 * *one.low,
                 100 * *one.high,
                 one.value * static_cast<double>(one.n),
                 one.n);
    }
    const auto num_ties = result.at("ties").get<uint64_t>();
    if (num_ties > 0) fmt::print("{} ties, counted as wrong\n", num_ties);
  }
  for (const Error& error : set.bad_records) print_note("snellen: left out: {}\n", error.what());
  if (summary.num_truncated > 0)
    print_note("snellen: {} prompts are longer than the model accepts and were truncated\n",
               summary.num_truncated);
  const int code = exit_code_of_verdict(summary.verdict);
  return code == 0 && !set.bad_records.empty() ? 4 : code;
}

int run_zeroshot(Context& context, const ZeroshotFlags& flags) {
  const tasks::ZeroshotSet set = tasks::zeroshot_set(flags.task, flags.images);
  std::string lines;
  uint64_t num_ties = 0;
  const config::Options options = options_of(context, flags);
  auto run = [&] {
    ObservedRun observed(context, options);
    observed.request().on_sample = [&](const store::Sample& sample) {
      if (sample.error) print_note("snellen: failed: {}\n", sample.error->what());
      if (!sample.error && values_of(sample).get<bool>("is_tied")) ++num_ties;
      if (!flags.output.empty()) lines += line_of(set, sample);
    };
    return run::run_in_memory(observed.request());
  };
  const run::RunSummary summary = run();
  if (summary.verdict == run::Verdict::kInterrupted) return exit_code_of_verdict(summary.verdict);
  const Json result = result_json(summary, set, num_ties);
  if (!flags.output.empty()) {
    fs::create_directories(flags.output);
    write_text_file(fs::path(flags.output) / "predictions.jsonl", lines);
    write_text_file(fs::path(flags.output) / "zeroshot.json", store::json_text(result, 1) + "\n");
  }
  return show(context, summary, set, result);
}

}  // namespace

std::function<int()> add_zeroshot(Command app, Context& context) {
  using config::option;
  using S = ZeroshotFlags;
  Command verb =
      app.add_subcommand("zeroshot", "classify images by name: top-1 and top-5 accuracy");
  verb.footer(
      "A class is the mean direction of its prompts; an image gets the class of the largest\n"
      "cosine. A tie counts as wrong. Images come from a folder with one folder per class, from\n"
      "ImageNet's one folder with its ground truth, or from a COCO instances file. For a run\n"
      "folder that can be resumed and compared: snellen run --tasks zeroshot.\n"
      "Examples:\n"
      "  snellen zeroshot --model clip --images imagenet/val --classes imagenet.csv\n"
      "      --templates templates.txt\n"
      "  snellen zeroshot --model clip --images val --classes imagenet.csv\n"
      "      --ground-truth ILSVRC2012_validation_ground_truth.txt\n"
      "      --mapping synsets.txt\n"
      "  snellen zeroshot --model clip --images eyechart/coco/val2014 --output zeroshot\n"
      "      --instances eyechart/coco/annotations/instances_val2014.json");
  const std::vector<config::Option> images = {
      option(
          &S::images, "images", "folder with one folder per class, or of the images of --instances")
          .alias("data")
          .value("DIR")
          .required()};
  const std::vector<config::Option> own = {
      option(&S::output, "output", "folder for zeroshot.json and predictions.jsonl")
          .alias("o")
          .value("DIR"),
      option(&S::limit, "limit", "use only the first N images; 0: all"),
      option(&S::confidence, "confidence", "confidence level of the intervals").range(0.5, 0.9999),
      threads_option(&S::num_threads)};
  return verb_with(verb,
                   S{},
                   config::joined({config::nested(&S::network, network_flag_options()),
                                   images,
                                   config::nested(&S::task, tasks::zeroshot_options()),
                                   own}),
                   [&context](const S& flags) { return run_zeroshot(context, flags); });
}

}  // namespace snellen::cli
