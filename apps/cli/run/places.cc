// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/places.h"

#include <fmt/format.h>

#include "apps/cli/data_folder.h"
#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "apps/cli/text/meteor_places.h"
#include "snellen/config/data_registry.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/task_folders.h"

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

// What the registry knows and no flag says. The stamp then tells what was used.
class RegisteredFolders {
 public:
  explicit RegisteredFolders(const config::DataRegistry& registry) : registry_(registry) {}

  void add(const tasks::TaskFacts& task, config::Options& options) const {
    if (std::optional<std::string> name = name_for(task)) add(task, "data", *name, options);
    if (!task.images.empty() && registry_.find(task.images))
      add(task, "images", task.images, options);
    constexpr std::string_view kEnding = "-dir";
    const config::Options given = options;
    for (const config::Block& block : given.blocks()) {
      if (block.owner() != "task " + task.name) continue;
      for (const config::Option& option : block.options()) {
        const std::string& flag = option.facts().name;
        if (!flag.ends_with(kEnding) || given.is_set(flag)) continue;
        if (const auto folder = registry_.find(flag.substr(0, flag.size() - kEnding.size())))
          options.set(flag, folder->string(), "data registry");
      }
    }
  }

 private:
  // The name that its annotations are registered by: its own, else the start of it.
  std::optional<std::string> name_for(const tasks::TaskFacts& task) const {
    if (registry_.find(task.name)) return task.name;
    for (const auto& [name, folder] : registry_.folders()) {
      if (run::is_for_task(name, task, /*of_images=*/false)) return name;
    }
    return std::nullopt;
  }

  void add(const tasks::TaskFacts& task,
           const std::string& flag,
           const std::string& name,
           config::Options& options) const {
    const std::string text = options.is_set(flag) ? options.text(flag) : "";
    for (const run::NamedFolder& one : run::named_folders(text)) {
      if (one.name.empty() || run::is_for_task(one.name, task, flag == "images")) return;
    }
    const std::string folder = registry_.find(name)->string();
    print_note("note: --{} {}={} (data registry)\n", flag, name, folder);
    options.set(flag,
                fmt::format("{}{}{}={}", text, text.empty() ? "" : ",", name, folder),
                "data registry");
  }

  const config::DataRegistry& registry_;
};

void set_registered_folders(const Context& context, config::Options& options) {
  const config::DataRegistry registry(data_registry_file());
  if (registry.folders().empty()) return;
  const config::Options given = options;
  for (const run::NamedTask& named : run::named_tasks(given.get<run::RunSettings>().tasks))
    RegisteredFolders(registry).add(context.catalogue.task(named.name).facts(), options);
}

}  // namespace

void set_places(const Context& context, config::Options& options) {
  set_registered_folders(context, options);
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
