// SPDX-License-Identifier: Apache-2.0
// What the cache of embeddings and scores holds, and clearing it.
#include <chrono>
#include <cstdio>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/cli/run/cache_place.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/error.h"
#include "snellen/base/python_json.h"
#include "snellen/report/table.h"
#include "snellen/store/cache/cache_folder.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_or_throw(const std::string& flag) {
  fs::path folder = row_cache_folder(flag);
  if (folder.empty())
    throw Error{ErrorCode::kUsage,
                "there is no cache: SNELLEN_CACHE is off, or there is no home",
                "--cache",
                "name its folder with --cache DIR"};
  return folder;
}

std::string shown_bytes(uint64_t bytes) {
  if (bytes >= 1'000'000'000) return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
  if (bytes >= 1'000'000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
}

std::string shown_time(fs::file_time_type time) {
  auto clock = std::chrono::file_clock::to_sys(time);
  return fmt::format(
      "{:%Y-%m-%d %H:%M}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(
          std::chrono::time_point_cast<std::chrono::system_clock::duration>(clock))));
}

// The first line of what a scope says of itself.
std::string title_of(const store::CacheScope& scope) {
  return scope.about.substr(0, scope.about.find('\n'));
}

void print_json(const fs::path& folder, const std::vector<store::CacheScope>& scopes) {
  std::string models;
  uint64_t bytes = 0;
  uint64_t rows = 0;
  for (const store::CacheScope& scope : scopes) {
    models +=
        fmt::format("{}{{\"id\": {}, \"model\": {}, \"rows\": {}, \"bytes\": {}, \"used\": {}}}",
                    models.empty() ? "" : ", ",
                    json_string(scope.name),
                    json_string(title_of(scope)),
                    scope.num_rows,
                    scope.num_bytes,
                    json_string(shown_time(scope.used)));
    bytes += scope.num_bytes;
    rows += scope.num_rows;
  }
  fmt::print("{{\"folder\": {}, \"rows\": {}, \"bytes\": {}, \"models\": [{}]}}\n",
             json_string(folder.string()),
             rows,
             bytes,
             models);
}

int show_info(const Context& context, const fs::path& folder) {
  std::vector<store::CacheScope> scopes = store::scopes_of(folder);
  if (context.wants_json) {
    print_json(folder, scopes);
    return 0;
  }
  report::Table table({{"model"}, {"rows", true}, {"size", true}, {"last used (UTC)"}});
  uint64_t bytes = 0;
  for (const store::CacheScope& scope : scopes) {
    table.add({title_of(scope),
               fmt::format("{}", scope.num_rows),
               shown_bytes(scope.num_bytes),
               shown_time(scope.used)});
    bytes += scope.num_bytes;
  }
  if (!scopes.empty()) fmt::print("{}", table.as_text());
  fmt::print("{} in {}\n", shown_bytes(bytes), folder.string());
  return 0;
}

int clear(const Context& context, const fs::path& folder) {
  store::Cleared cleared = store::clear_cache(folder);
  if (context.wants_json) {
    fmt::print("{{\"folder\": {}, \"rows\": {}, \"bytes\": {}}}\n",
               json_string(folder.string()),
               cleared.num_rows,
               cleared.num_bytes);
  } else {
    fmt::print("{} rows, {} removed from {}\n",
               cleared.num_rows,
               shown_bytes(cleared.num_bytes),
               folder.string());
  }
  return 0;
}

}  // namespace

std::function<int()> add_cache(CLI::App& app, Context& context) {
  struct S {
    std::string folder;
  };
  CLI::App* verb = app.add_subcommand("cache", "show or clear the cache of embeddings and scores");
  verb->footer("Example:\n  snellen cache info");
  verb->require_subcommand(1);
  CLI::App* info = verb->add_subcommand("info", "show models, rows and sizes");
  CLI::App* empty = verb->add_subcommand("clear", "delete everything");
  auto add = [&](CLI::App* one, int (*run)(const Context&, const fs::path&)) {
    return verb_with(
        *one,
        S{},
        {config::option(&S::folder,
                        "cache",
                        "folder of the cache (default: $SNELLEN_CACHE, or the user's cache folder)")
             .value("DIR")},
        [&context, run](const S& settings) {
          return run(context, folder_or_throw(settings.folder));
        });
  };
  std::function<int()> show = add(info, show_info);
  std::function<int()> remove = add(empty, clear);
  return [info, show, remove] { return info->parsed() ? show() : remove(); };
}

}  // namespace snellen::cli
