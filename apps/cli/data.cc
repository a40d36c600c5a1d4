// SPDX-License-Identifier: Apache-2.0
// `snellen data`: where data sets lie on this machine, once for all runs.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "apps/cli/run/places.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/json_object.h"
#include "snellen/base/nearest.h"
#include "snellen/config/data_registry.h"
#include "snellen/report/table.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/task_folders.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

// The names that runs look for: annotations of tasks, images of data sets, folders of videos.
std::vector<std::string> known_names(const Context& context) {
  std::vector<std::string> known;
  auto add = [&](const std::string& name) {
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  };
  constexpr std::string_view kEnding = "-dir";
  for (const auto& entry : context.catalogue.tasks) {
    const tasks::TaskFacts& facts = entry->facts();
    std::vector<std::string> videos;
    for (const config::Block& block : facts.settings) {
      for (const config::Option& option : block.options()) {
        const std::string& flag = option.facts().name;
        const bool is_place_to_write = flag == "cache-dir";
        if (flag.ends_with(kEnding) && !flag.starts_with("root-") && !is_place_to_write)
          videos.push_back(flag.substr(0, flag.size() - kEnding.size()));
      }
    }
    // Tasks that show nothing of their own read answers, which every run names.
    if (facts.images.empty() && videos.empty()) continue;
    add(facts.name);
    if (!facts.images.empty()) add(facts.images);
    for (const std::string& name : videos) add(name);
  }
  return known;
}

bool is_task_name(const Context& context, const std::string& name) {
  const auto& all = context.catalogue.tasks;
  return std::any_of(all.begin(), all.end(), [&](const auto& entry) {
    return run::is_for_task(name, entry->facts(), /*of_images=*/false);
  });
}

void check_name(const Context& context, const std::string& name) {
  const std::vector<std::string> names = known_names(context);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  if (is_task_name(context, name)) return;  // the start of several tasks' names: probe-b
  throw Error{ErrorCode::kUsage,
              fmt::format("no task looks for data called '{}'", name.substr(0, 80)),
              "data",
              suggest(name, names)};
}

int add_folder(const Context& context, const std::string& name, const fs::path& folder) {
  check_name(context, name);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw Error{ErrorCode::kNotFound,
                fs::exists(folder, ignored) ? "is a file, not a folder" : "does not exist",
                folder.string(),
                "give the folder itself; unpack archives first"};
  config::DataRegistry registry(data_registry_file());
  registry.set(name, folder);
  if (!context.wants_json)
    fmt::print(
        "{} = {}\nkept in {}\n", name, registry.find(name)->string(), registry.file().string());
  return 0;
}

int remove_folder(const std::string& name) {
  config::DataRegistry registry(data_registry_file());
  if (registry.remove(name)) return 0;
  throw Error{ErrorCode::kNotFound,
              fmt::format("'{}' is not registered", name.substr(0, 80)),
              registry.file().string(),
              "`snellen data list` shows what is"};
}

int list_folders(const Context& context) {
  const config::DataRegistry registry(data_registry_file());
  report::Table table({{"name"}, {"folder"}, {"there"}});
  std::vector<std::string> others;
  for (const auto& [name, folder] : registry.folders()) {
    std::error_code ignored;
    table.add({name, folder.string(), fs::is_directory(folder, ignored) ? "yes" : "no"});
  }
  for (const std::string& name : known_names(context)) {
    if (!registry.find(name)) others.push_back(name);
  }
  if (context.wants_json) {
    print_json({{"file", registry.file().string()}, {"folders", JsonText{table.as_json()}}});
    return 0;
  }
  if (!table.is_empty()) fmt::print("{}", table.as_text(kTextWidth));
  std::string names;
  for (const std::string& name : others) names += (names.empty() ? "" : ", ") + name;
  fmt::print("{}kept in {}\n{}\nadd one with: snellen data add NAME DIR\n",
             table.is_empty() ? "" : "\n",
             registry.file().string(),
             report::wrapped_text("not registered: " + names, kTextWidth));
  return 0;
}

// What a task finds of its data.
struct Found {
  std::string task;
  uint64_t num_items = 0;
  uint64_t num_bad = 0;
  uint64_t num_files = 0;
  std::string first_bad = {};
  std::set<std::string> missing = {};  // names of pictures, ids of videos
};

Found check_task(const run::OpenTask& open) {
  Found found{.task = open.name};
  std::set<std::string> seen;
  for (const tasks::Part& part : open.parts) found.num_items += part.num_items;
  for (uint64_t position = 0; position < found.num_items; ++position) {
    const Result<tasks::Item> item = open.task->item(position);
    if (!item) {
      if (found.num_bad++ == 0) found.first_bad = item.error().what();
      continue;
    }
    for (const questions::Visual& visual : item->visuals) {
      if (visual.drawn() != nullptr) continue;
      const Result<media::VisualPlace> place = visual.place();
      const std::string name(visual.shard_key());
      if (!seen.insert(place ? place->path.string() : name).second) continue;
      std::error_code ignored;
      if (place && fs::is_regular_file(place->path, ignored)) {
        ++found.num_files;
      } else {
        // Downloaders know a video by its id alone, without the data set that it is of.
        const bool is_video = !place || place->clip;
        found.missing.insert(is_video ? name.substr(name.rfind('/') + 1) : name);
      }
    }
  }
  return found;
}

// A task whose annotations nobody registered is no error where its images alone were named.
void expect_not_named(const std::vector<std::string>& names,
                      const tasks::TaskFacts& facts,
                      const config::DataRegistry& registry) {
  for (const std::string& name : names) {
    if (!run::is_for_task(name, facts, /*of_images=*/false)) continue;
    throw Error{ErrorCode::kNotFound,
                fmt::format("no folder of {} is registered", name),
                registry.file().string(),
                fmt::format("register it first: snellen data add {} DIR", name)};
  }
}

// Of the tasks that the names mean; all that have registered annotations where none is named.
int check_folders(Context& context, const std::vector<std::string>& names) {
  for (const std::string& name : names) check_name(context, name);
  const config::DataRegistry registry(data_registry_file());
  std::vector<Found> all;
  for (const auto& entry : context.catalogue.tasks) {
    const tasks::TaskFacts& facts = entry->facts();
    auto means = [&](const std::string& name) {
      return run::is_for_task(name, facts, /*of_images=*/true);
    };
    bool is_registered = false;
    for (const auto& [name, folder] : registry.folders())
      is_registered = is_registered || run::is_for_task(name, facts, /*of_images=*/false);
    if (facts.takes_argument || (names.empty() && !is_registered)) continue;
    if (!names.empty() && std::none_of(names.begin(), names.end(), means)) continue;
    if (!is_registered) {
      expect_not_named(names, facts, registry);
      continue;
    }
    config::Options options = run::run_options(context.catalogue);
    options.set("tasks", facts.name, "data check");
    options.set("model", "fake", "data check");
    set_places(context, options);
    run::RunSettings settings = run::settings_of(options, context.catalogue);
    for (const run::OpenTask& open : run::open_tasks(context.catalogue, options, settings))
      all.push_back(check_task(open));
  }
  if (all.empty())
    throw Error{ErrorCode::kNotFound,
                "there is nothing to check",
                registry.file().string(),
                "add annotations first, for example: snellen data add probe-c DIR"};
  report::Table table(
      {{"task"}, {"items", true}, {"bad", true}, {"files", true}, {"missing", true}});
  std::vector<std::string> missing;
  bool is_whole = true;
  for (const Found& one : all) {
    table.add({one.task,
               std::to_string(one.num_items),
               std::to_string(one.num_bad),
               std::to_string(one.num_files),
               std::to_string(one.missing.size())});
    is_whole = is_whole && one.num_bad == 0 && one.missing.empty();
    missing.insert(missing.end(), one.missing.begin(), one.missing.end());
    if (one.num_bad > 0)
      print_note("{}: {} bad records, the first: {}\n", one.task, one.num_bad, one.first_bad);
  }
  if (context.wants_json) {
    print_json({{"tasks", JsonText{table.as_json()}}, {"missing", missing}});
  } else {
    // The names alone on stdout, one per line, as downloaders take them.
    print_note("{}", table.as_text(kTextWidth));
    for (const std::string& name : missing) fmt::print("{}\n", name);
  }
  return is_whole ? 0 : 4;
}

}  // namespace

std::function<int()> add_data(Command app, Context& context) {
  struct S {
    std::string name;
    std::filesystem::path folder;
    std::vector<std::string> names;
  };
  using config::option;
  Command verb = app.add_subcommand("data", "where data sets lie on this machine");
  verb.require_subcommand();
  verb.footer(
      "Runs take what is registered here where no flag names a folder. `check` prints what is\n"
      "missing, one name per line: file names of pictures, ids of videos.\n"
      "Examples:\n"
      "  snellen data add coco val2014\n"
      "  snellen data add probe-c data/probe_c\n"
      "  snellen data check vilma > missing_ids.txt");
  Command add = verb.add_subcommand("add", "register a folder by name");
  Command list = verb.add_subcommand("list", "show what is registered");
  Command check = verb.add_subcommand("check", "look for the files that tasks need");
  Command remove = verb.add_subcommand("remove", "forget a name; its folder stays");
  const config::Option name =
      option(&S::name, "name", "a task (probe-c), an image set (coco, vg), a video set (youtube)")
          .positional()
          .required();
  std::vector<std::pair<Command, std::function<int()>>> runs;
  runs.emplace_back(
      add,
      verb_with(add,
                S{},
                {name,
                 option(&S::folder, "folder", "where it lies: snellen data add NAME DIR")
                     .positional()
                     .required()},
                [&context](const S& s) { return add_folder(context, s.name, s.folder); }));
  runs.emplace_back(
      list, verb_with(list, S{}, {}, [&context](const S&) { return list_folders(context); }));
  runs.emplace_back(
      check,
      verb_with(
          check,
          S{},
          {option(&S::names, "names", "tasks or image sets (default: all)").positional().many()},
          [&context](const S& s) { return check_folders(context, s.names); }));
  runs.emplace_back(
      remove, verb_with(remove, S{}, {name}, [](const S& s) { return remove_folder(s.name); }));
  return [runs] {
    for (const auto& [sub_command, run] : runs) {
      if (sub_command.parsed()) return run();
    }
    return 2;
  };
}

}  // namespace snellen::cli
