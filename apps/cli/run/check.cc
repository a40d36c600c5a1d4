// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/run/model_check.h"

namespace snellen::cli {
namespace {

constexpr int kDiffers = 5;

struct CheckFlags {
  NetworkFlags network;
  std::string fixture;
  bool is_strict = false;
};

void print_stages(const char* title, const std::vector<models::StageResult>& stages) {
  if (stages.empty()) return;
  fmt::print("{}\n", title);
  for (const models::StageResult& stage : stages) {
    if (stage.is_equal) {
      fmt::print("  ok       {:<24} {:.2g}\n", stage.name, stage.largest);
    } else {
      fmt::print("  DIFFERS  {:<24} {}\n", stage.name, difference_text(stage));
    }
  }
}

JsonValue json_of(const std::vector<models::StageResult>& stages) {
  JsonValue::List written;
  for (const models::StageResult& stage : stages)
    written.push_back(JsonObject{{"name", stage.name},
                                 {"equal", stage.is_equal},
                                 {"difference", stage.largest},
                                 {"index", stage.index},
                                 {"got", stage.got},
                                 {"expected", stage.want},
                                 {"note", stage.note}});
  return written;
}

JsonObject json_of(const models::NetworkFacts& facts) {
  JsonObject members;
  for (const models::NetworkFact& fact : facts.stamp) members.add({{fact.name, fact.value}});
  return members;
}

int run_check(const CheckFlags& flags, const Context& context) {
  const std::filesystem::path folder = model_folder(context, flags.network.model);
  models::Fixture fixture(flags.fixture.empty() ? folder : std::filesystem::path(flags.fixture));
  models::Layout layout = layout_of(flags.network);
  std::unique_ptr<const text::Tokenizer> tokenizer;
  std::optional<models::NetworkModule> module;
  std::unique_ptr<models::Network> network;
  std::optional<media::ImageProcessor> processor;
  if (fixture.kind() != "tokens") {
    models::Checkpoint checkpoint(folder, layout);
    module.emplace(open_network_module(context));
    network = module->architecture_of(checkpoint).load(checkpoint, network_options(flags.network));
    if (!fixture.images().empty())
      processor.emplace(run::processor_of(
          fixture, inference::processor_config_of(checkpoint, flags.network, *network)));
    tokenizer =
        open_tokenizer(context, folder, inference::tokenizer_family_of(checkpoint, flags.network));
  } else {
    tokenizer = open_tokenizer(context, folder);
  }
  run::ModelCheck check = run::check_model(fixture,
                                           {.network = network.get(),
                                            .tokenizer = *tokenizer,
                                            .processor = processor ? &*processor : nullptr},
                                           flags.is_strict);
  const models::StageResult* first = check.first_difference();
  if (context.wants_json) {
    std::vector<std::string> warnings;
    std::vector<std::string> unused;
    if (network) {
      warnings = network->facts().warnings;
      unused.assign(network->unused_weights().begin(), network->unused_weights().end());
    }
    print_json({{"arch", fixture.arch()},
                {"equal", first == nullptr},
                {"first_difference", first ? JsonValue(first->name) : nullptr},
                {"facts", network ? json_of(network->facts()) : JsonObject()},
                {"warnings", warnings},
                {"unused_weights", unused},
                {"from_files", json_of(check.from_files)},
                {"from_stored", json_of(check.from_stored)}});
  } else {
    if (network) {
      for (const std::string& warning : network->facts().warnings)
        print_note("warning: {}\n", warning);
    }
    print_stages("from its files", check.from_files);
    print_stages("from the fixture's tokens and pixels", check.from_stored);
    fmt::print("{}: {}\n",
               fixture.arch(),
               first ? "differs first at " + first->name : "computes what its fixture says");
  }
  return first ? kDiffers : 0;
}

}  // namespace

std::function<int()> add_check(Command app, Context& context) {
  using config::option;
  using S = CheckFlags;
  Command verb =
      app.add_subcommand("check", "compare a model folder with its fixture, stage by stage");
  verb.footer(
      "Compares tokens, pixels, embeddings and scores with fixture.json and fixture.safetensors,\n"
      "computed from the folder's own files and again from the fixture's tensors. The exit code\n"
      "is 5 when a stage differs.\n"
      "Example:\n  snellen check --model tests/golden/models/clip");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::nested(&S::network, network_flag_options()),
           {option(&S::fixture, "fixture", "folder of the fixture (default: beside the weights)")
                .value("DIR"),
            option(&S::is_strict, "strict", "use the fixture's strict tolerances (2e-5)")}}),
      [&context](const S& flags) { return run_check(flags, context); });
}

}  // namespace snellen::cli
