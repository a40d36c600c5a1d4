// SPDX-License-Identifier: Apache-2.0
// What the cache of embeddings, scores and answers holds, and clearing it.
#include <chrono>
#include <cstdio>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/error.h"
#include "snellen/base/json_object.h"
#include "snellen/models/openai/response_cache.h"
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

// Of served models.
fs::path answers_in(const fs::path& folder) {
  return folder / "answers";
}

void print_scopes(const fs::path& folder, const std::vector<store::CacheScope>& scopes) {
  JsonValue::List models;
  uint64_t bytes = 0;
  uint64_t rows = 0;
  for (const store::CacheScope& scope : scopes) {
    models.push_back(JsonObject{{"id", scope.name},
                                {"model", title_of(scope)},
                                {"rows", scope.num_rows},
                                {"bytes", scope.num_bytes},
                                {"used", shown_time(scope.used)}});
    bytes += scope.num_bytes;
    rows += scope.num_rows;
  }
  const models::openai::KeptAnswers answers = models::openai::kept_answers(answers_in(folder));
  print_json({{"folder", folder.string()},
              {"rows", rows},
              {"bytes", bytes},
              {"answers", answers.count},
              {"answer_bytes", answers.num_bytes},
              {"models", models}});
}

int show_info(const Context& context, const fs::path& folder) {
  std::vector<store::CacheScope> scopes = store::scopes_of(folder);
  if (context.wants_json) {
    print_scopes(folder, scopes);
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
  if (!scopes.empty()) fmt::print("{}", table.as_text(kTextWidth));
  fmt::print("{} in {}\n", shown_bytes(bytes), folder.string());
  const models::openai::KeptAnswers answers = models::openai::kept_answers(answers_in(folder));
  if (answers.count > 0)
    fmt::print("{} answers of served models, {}\n", answers.count, shown_bytes(answers.num_bytes));
  return 0;
}

int clear(const Context& context, const fs::path& folder) {
  store::Cleared cleared = store::clear_cache(folder);
  const models::openai::KeptAnswers answers = models::openai::clear_answers(answers_in(folder));
  if (context.wants_json) {
    print_json({{"folder", folder.string()},
                {"rows", cleared.num_rows},
                {"bytes", cleared.num_bytes + answers.num_bytes},
                {"answers", answers.count}});
  } else {
    fmt::print("{} rows{}, {} removed from {}\n",
               cleared.num_rows,
               answers.count > 0 ? fmt::format(" and {} answers", answers.count) : "",
               shown_bytes(cleared.num_bytes + answers.num_bytes),
               folder.string());
  }
  return 0;
}

}  // namespace

std::function<int()> add_cache(Command app, Context& context) {
  struct S {
    std::string folder;
  };
  Command verb =
      app.add_subcommand("cache", "show or clear the cache of embeddings, scores and answers");
  verb.footer("Example:\n  snellen cache info");
  verb.require_subcommand();
  Command info = verb.add_subcommand("info", "show models, rows and sizes");
  Command empty = verb.add_subcommand("clear", "delete everything");
  auto add = [&](Command one, int (*run)(const Context&, const fs::path&)) {
    return verb_with(
        one,
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
  return [info, show, remove] { return info.parsed() ? show() : remove(); };
}

}  // namespace snellen::cli
