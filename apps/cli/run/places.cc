// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/places.h"

#include "apps/cli/data_folder.h"
#include "apps/cli/text/meteor_places.h"

namespace snellen::cli {
namespace {

void set_meteor_places(config::Options& options) {
  const text::meteor::DataPlaces places =
      meteor_places({.data = options.text("meteor-data"),
                     .paraphrase = options.text("meteor-paraphrase"),
                     .wordnet = options.text("wordnet"),
                     .cache = options.text("cache-dir")});
  options.set("meteor-data", places.named_folder.string(), "SNELLEN_METEOR_DATA");
  options.set("wordnet", places.wordnet_folder.string(), "SNELLEN_DATA");
  options.set("cache-dir", places.cache_folder.string(), "XDG_CACHE_HOME");
}

}  // namespace

void set_places(const Context& context, config::Options& options) {
  const config::Options given = options;
  for (const config::Block& block : given.blocks()) {
    if (block.owner().empty() || !run::is_used_by_run(block.owner(), given)) continue;
    if (block.find("meteor-data") != nullptr) set_meteor_places(options);
    for (const config::Option& option : block.options()) {
      const config::OptionFacts& facts = option.facts();
      if (facts.data_file.empty() || given.is_set(facts.name)) continue;
      const std::filesystem::path file = find_data_or_none(context, facts.data_file);
      if (!file.empty()) options.set(facts.name, file.string(), "data folder");
    }
  }
}

}  // namespace snellen::cli
