// SPDX-License-Identifier: Apache-2.0
// `snellen zeroshot`: top-1 and top-5 of naming what pictures show.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/run/zeroshot_set.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ZeroshotFlags {
  NetworkFlags network;
  std::string images;
  std::string instances;
  std::string classes;
  std::string templates;
  std::string right = "any";
  std::string output;
  unsigned num_threads = 0;
  uint64_t limit = 0;
  double confidence = 0.95;
};

run::ZeroshotSet set_of(const ZeroshotFlags& flags) {
  run::ZeroshotSet set =
      flags.instances.empty()
          ? run::zeroshot_folders(flags.images, flags.classes)
          : run::zeroshot_instances(
                flags.instances,
                flags.images,
                flags.right == "largest" ? run::RightClass::kLargest : run::RightClass::kAny);
  if (flags.limit > 0 && set.pictures.size() > flags.limit) set.pictures.resize(flags.limit);
  return set;
}

Json share_json(const char* id, const run::ZeroshotShare& share, uint64_t n) {
  return {{"id", id},
          {"value", share.value ? Json(*share.value) : Json()},
          {"n", n},
          {"low", share.interval ? Json(share.interval->low) : Json()},
          {"high", share.interval ? Json(share.interval->high) : Json()},
          {"interval", share.interval ? Json(share.interval->method) : Json()}};
}

Json result_json(const run::ZeroshotResult& result, const run::ZeroshotSet& set) {
  return {{"schema", 1},
          {"classes", set.classes.size()},
          {"pictures", set.pictures.size()},
          {"failed", result.num_failed},
          {"bad_records", set.bad_records.size()},
          {"ties", result.num_ties},
          {"truncated_prompts", result.num_truncated},
          {"metrics",
           Json::array({share_json("zeroshot/top1", result.top1, result.num_named),
                        share_json("zeroshot/top5", result.top5, result.num_named)})}};
}

// One picture as a line of predictions.jsonl.
std::string line_of(const run::ZeroshotSet& set, size_t number, const run::NamedPicture& named) {
  const run::ZeroshotPicture& picture = set.pictures[number];
  Json right = Json::array();
  for (const uint32_t one : picture.right) right.push_back(set.classes[one]);
  Json json = {{"file", picture.file.filename().string()}, {"right", std::move(right)}};
  if (named.error) {
    json["error"] = named.error->message();
  } else {
    Json best = Json::array();
    for (const uint32_t one : named.best) best.push_back(set.classes[one]);
    json["named"] = std::move(best);
    json["cosines"] = named.cosines;
    json["rank"] = named.rank + 1;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print_share(const char* name, const run::ZeroshotShare& share, uint64_t n) {
  if (!share.value) return;
  fmt::print("{}  {:.2f} %  [{:.2f}, {:.2f}]  {} of {}\n",
             name,
             100 * *share.value,
             100 * share.interval->low,
             100 * share.interval->high,
             share.num_right,
             n);
}

int show(const Context& context, const run::ZeroshotResult& result, const run::ZeroshotSet& set) {
  if (context.wants_json) {
    fmt::print("{}\n", result_json(result, set).dump(1));
  } else {
    print_share("top-1", result.top1, result.num_named);
    print_share("top-5", result.top5, result.num_named);
    if (result.num_ties > 0) fmt::print("{} ties, counted as wrong\n", result.num_ties);
  }
  for (const Error& error : set.bad_records) print_note("snellen: left out: {}\n", error.what());
  if (result.num_truncated > 0)
    print_note("snellen: {} prompts were cut off\n", result.num_truncated);
  if (result.num_named == 0) {
    throw Error{ErrorCode::kNothingScored,
                "not one picture could be named",
                "zeroshot",
                "look at predictions.jsonl for the reasons"};
  }
  return result.num_failed > 0 || !set.bad_records.empty() ? 4 : 0;
}

int run_zeroshot(const Context& context, const ZeroshotFlags& flags) {
  const run::ZeroshotSet set = set_of(flags);
  run::ZeroshotOptions options;
  if (!flags.templates.empty()) options.templates = run::read_templates(flags.templates);
  options.num_threads = batch_threads(flags.num_threads, 1024);
  options.confidence = flags.confidence;
  BuildProgress progress;
  options.observe = [&](uint64_t done, uint64_t total) { progress.show("zeroshot", done, total); };
  const models::Checkpoint checkpoint(flags.network.model, layout_of(flags.network));
  const models::NetworkModule module = open_network_module(context);
  const std::unique_ptr<const models::Network> network =
      module.architecture_of(checkpoint).load(checkpoint, network_options(flags.network));
  const auto tokenizer = open_tokenizer(context, flags.network.model);
  const media::ImageProcessor processor(media::read_processor_config(flags.network.model));
  std::string lines;
  const run::ZeroshotResult result =
      run::name_pictures({.network = *network, .tokenizer = *tokenizer, .processor = processor},
                         set,
                         options,
                         [&](size_t number, const run::NamedPicture& named) {
                           if (named.error)
                             print_note("snellen: failed: {}\n", named.error->what());
                           if (!flags.output.empty()) lines += line_of(set, number, named);
                         });
  if (!flags.output.empty()) {
    fs::create_directories(flags.output);
    write_text_file(fs::path(flags.output) / "predictions.jsonl", lines);
    write_text_file(fs::path(flags.output) / "zeroshot.json",
                    result_json(result, set).dump(1) + "\n");
  }
  return show(context, result, set);
}

}  // namespace

std::function<int()> add_zeroshot(CLI::App& app, Context& context) {
  using config::option;
  using S = ZeroshotFlags;
  CLI::App* verb =
      app.add_subcommand("zeroshot", "classify images by name: top-1 and top-5 accuracy");
  verb->footer(
      "A class is the mean direction of its prompts; an image gets the class of the largest\n"
      "cosine. A tie counts as wrong. Images come from a folder with one folder per class, or\n"
      "from a COCO instances file.\n"
      "Examples:\n"
      "  snellen zeroshot --model clip --images imagenet/val --classes imagenet.csv\n"
      "      --templates templates.txt\n"
      "  snellen zeroshot --model clip --images eyechart/coco/val2014 --output zeroshot\n"
      "      --instances eyechart/coco/annotations/instances_val2014.json");
  std::vector<config::Option> own = {
      option(
          &S::images, "images", "folder with one folder per class, or of the images of --instances")
          .alias("data")
          .value("DIR")
          .required(),
      option(&S::instances, "instances", "COCO instances file: images of several objects")
          .value("FILE"),
      option(&S::right, "right", "with --instances: which objects count as right")
          .choices({"any", "largest"}),
      option(&S::classes, "classes", "CSV file with lines folder,class").value("FILE"),
      option(&S::templates, "templates", "file with one prompt per line; {} is the class")
          .value("FILE"),
      option(&S::output, "output", "folder for zeroshot.json and predictions.jsonl")
          .alias("o")
          .value("DIR"),
      option(&S::limit, "limit", "use only the first N images; 0: all"),
      option(&S::confidence, "confidence", "confidence level of the intervals").range(0.5, 0.9999),
      threads_option(&S::num_threads)};
  return verb_with(*verb,
                   S{},
                   config::joined({config::nested(&S::network, network_flag_options()), own}),
                   [&context](const S& flags) { return run_zeroshot(context, flags); });
}

}  // namespace snellen::cli
