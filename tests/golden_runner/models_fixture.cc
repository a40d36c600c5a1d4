// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_fixture.h"

#include <optional>

#include <fmt/format.h>

#include "snellen/run/model_check.h"
#include "snellen/text/tokenizers/load_tokenizer.h"
#include "tests/golden_runner/models_network.h"

namespace snellen::golden {
namespace {

void tally_stages(const std::vector<models::StageResult>& stages,
                  std::string_view from,
                  Tally& tally) {
  for (const models::StageResult& stage : stages) {
    tally.start(fmt::format("{}, {}", stage.name, from));
    tally.expect(stage.is_equal, difference_text(stage));
  }
}

}  // namespace

void check_fixture(const Context& context, Tally& tally) {
  const std::filesystem::path& folder = context.file;
  models::Fixture fixture(folder);
  std::unique_ptr<const text::Tokenizer> tokenizer =
      text::load_tokenizer({.folder = folder, .family = {}, .clip_vocabulary = {}});
  std::optional<media::ImageProcessor> processor;
  if (!fixture.images().empty())
    processor.emplace(run::processor_of(fixture, media::read_processor_config(folder)));
  std::unique_ptr<models::Network> network;
  if (fixture.kind() != "tokens") {
    network = load_network(folder);
    if (!network) tally.pending("the network (this build has no torch)");
  }
  run::ModelCheck check = run::check_model(fixture,
                                           {.network = network.get(),
                                            .tokenizer = *tokenizer,
                                            .processor = processor ? &*processor : nullptr},
                                           /*is_strict=*/false);
  tally_stages(check.from_files, "from files", tally);
  tally_stages(check.from_stored, "from stored inputs", tally);
}

}  // namespace snellen::golden
