// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/print.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/json_object.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/metrics/measurement.h"
#include "snellen/metrics/metric.h"
#include "snellen/models/checkpoint/hub_cache.h"
#include "snellen/models/variants.h"
#include "snellen/report/summary.h"
#include "snellen/run/catalogue.h"

namespace snellen::cli {
namespace {

std::string short_commit(const std::string& commit) {
  constexpr size_t kShownDigits = 7;
  return commit.substr(0, kShownDigits);
}

// The checkpoints of Hugging Face's cache, and what this build makes of each.
report::Table installed_table(const Context& context) {
  const inference::Installation& installation = context.catalogue.installation;
  report::Table table({{"model"}, {"revision"}, {"MB", true}, {"runs here"}});
  for (const models::HubSnapshot& one : models::installed_snapshots(installation.hub)) {
    std::string runs;
    try {
      models::find_in_hub_cache({one.repository, one.commit}, installation.hub);
      runs = "yes, as " +
             inference::describe_folder(installation, {.model = one.folder.string()}, "").kind;
    } catch (const Error& error) {
      runs = "no: " + error.message();
    }
    table.add({one.repository,
               short_commit(one.commit),
               std::to_string(one.num_bytes / 1'000'000),
               runs});
  }
  return table;
}

report::Table table_of(const std::string& what, const Context& context) {
  if (what == "tasks") {
    report::Table table({{"task"}, {"asks"}, {"data"}, {"paper"}});
    for (const auto& entry : context.catalogue.tasks)
      table.add(
          {entry->facts().name, entry->facts().summary, entry->facts().data, entry->facts().paper});
    return table;
  }
  if (what == "models") {
    report::Table table({{"model"}, {"is"}, {"--score"}, {"answers"}, {"usage"}});
    for (const auto& entry : context.catalogue.models) {
      const models::ModelFacts& facts = entry->facts();
      table.add({facts.name,
                 facts.summary,
                 fmt::format("{}", fmt::join(facts.scores, ",")),
                 facts.can_answer ? "yes" : "",
                 facts.usage});
    }
    return table;
  }
  if (what == "installed") return installed_table(context);
  if (what == "checkpoints") {
    report::Table table(
        {{"checkpoint"}, {"family"}, {"--score"}, {"sizes"}, {"paper"}, {"compared"}});
    for (const models::Variant& variant : models::published_variants())
      table.add({variant.checkpoint,
                 variant.family,
                 fmt::format("{}", fmt::join(variant.heads, ",")),
                 variant.sizes(),
                 variant.paper,
                 variant.status});
    return table;
  }
  if (what == "architectures") {
    report::Table table({{"architecture"}, {"is"}, {"model_type"}, {"--score"}, {"paper"}});
    models::NetworkModule module = open_network_module(context);
    for (const auto& architecture : module.architectures()) {
      const models::ArchitectureFacts& facts = architecture->facts();
      table.add({facts.family,
                 facts.summary,
                 fmt::format("{}", fmt::join(facts.model_types, ",")),
                 fmt::format("{}", fmt::join(facts.heads, ",")),
                 facts.paper});
    }
    return table;
  }
  if (what == "corruptions") {
    report::Table table({{"corruption"}, {"shows"}, {"range"}});
    for (const media::CorruptionFacts& facts : media::corruption_catalogue())
      table.add({facts.usage(), std::string(facts.summary), facts.range()});
    return table;
  }
  if (what == "metric ids") {
    report::Table table({{"id"}, {"chance", true}, {"better"}});
    for (const auto& entry : context.catalogue.tasks) {
      const tasks::TaskFacts& facts = entry->facts();
      for (const std::string& part :
           facts.parts.empty() ? std::vector<std::string>{""} : facts.parts) {
        for (const tasks::Column& column : facts.columns) {
          table.add({metrics::metric_id(facts.name, part, column.name),
                     column.chance ? report::shown(*column.chance) : "",
                     column.higher_is_better ? "higher" : "lower"});
        }
      }
    }
    return table;
  }
  report::Table table({{"metric"}, {"gives"}, {"says"}, {"ties"}, {"version", true}, {"paper"}});
  for (const auto& metric : metrics::built_in_metrics()) {
    std::string columns;
    for (const metrics::MetricColumn& column : metric->facts().columns)
      columns += (columns.empty() ? "" : " ") + column.name;
    table.add({metric->facts().name,
               columns,
               metric->facts().summary,
               metric->facts().ties,
               std::to_string(metric->facts().version),
               metric->facts().paper});
  }
  return table;
}

}  // namespace

std::function<int()> add_list(Command app, Context& context) {
  struct S {
    std::string what;
    bool is_installed = false;
  };
  Command verb =
      app.add_subcommand("list", "list the tasks, models, metrics and corruptions of this build");
  verb.footer("Examples:\n  snellen list tasks\n  snellen list models --installed");
  std::vector<config::Option> own = {
      config::option(&S::what, "what", "what to list (default: all)")
          .choices({"tasks", "models", "metrics", "corruptions"})
          .positional(),
      config::option(&S::is_installed,
                     "installed",
                     "with models: the checkpoints of the Hugging Face cache, and which run here")};
  return verb_with(verb, S{}, own, [&context](const S& settings) {
    const std::string& what = settings.what;
    std::vector<std::string> wanted =
        what.empty() ? std::vector<std::string>{"tasks", "models", "metrics", "corruptions"}
                     : std::vector<std::string>{what};
    if (what == "metrics") wanted.emplace_back("metric ids");
    if (settings.is_installed) {
      if (what != "models")
        throw Error{ErrorCode::kUsage,
                    "is only used with models",
                    "--installed",
                    "snellen list models --installed"};
      wanted = {"installed"};
      if (!context.wants_json)
        fmt::print("Hugging Face cache: {}\n\n", context.catalogue.installation.hub.string());
    } else if (what == "models") {
      if (has_network_module(context)) wanted.emplace_back("architectures");
      wanted.emplace_back("checkpoints");
    }
    JsonObject json;
    for (const std::string& one : wanted) {
      report::Table table = table_of(one, context);
      if (context.wants_json) {
        json.add({{one, JsonText{table.as_json()}}});
      } else {
        fmt::print("{}{}\n",
                   table.as_text(kTextWidth),
                   wanted.size() > 1 && one != wanted.back() ? "\n" : "");
      }
    }
    if (context.wants_json) print_json(json);
    return 0;
  });
}

}  // namespace snellen::cli
