// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/python_json.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/metrics/measurement.h"
#include "snellen/metrics/metric.h"
#include "snellen/models/variants.h"
#include "snellen/report/summary.h"

namespace snellen::cli {
namespace {

report::Table table_of(const std::string& what, const Context& context) {
  if (what == "tasks") {
    report::Table table({{"task"}, {"asks"}, {"data"}, {"paper"}});
    for (const auto& entry : context.catalogue.tasks)
      table.add(
          {entry->facts().name, entry->facts().summary, entry->facts().data, entry->facts().paper});
    return table;
  }
  if (what == "models") {
    report::Table table({{"model"}, {"is"}, {"usage"}});
    for (const auto& entry : context.catalogue.models)
      table.add({entry->facts().name, entry->facts().summary, entry->facts().usage});
    return table;
  }
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

std::function<int()> add_list(CLI::App& app, Context& context) {
  struct S {
    std::string what;
  };
  CLI::App* verb =
      app.add_subcommand("list", "list the tasks, models, metrics and corruptions of this build");
  verb->footer("Example:\n  snellen list tasks");
  std::vector<config::Option> own = {config::option(&S::what, "what", "what to list (default: all)")
                                         .choices({"tasks", "models", "metrics", "corruptions"})
                                         .positional()};
  return verb_with(*verb, S{}, own, [&context](const S& settings) {
    const std::string& what = settings.what;
    std::vector<std::string> wanted =
        what.empty() ? std::vector<std::string>{"tasks", "models", "metrics", "corruptions"}
                     : std::vector<std::string>{what};
    if (what == "metrics") wanted.emplace_back("metric ids");
    if (what == "models") {
      if (has_network_module(context)) wanted.emplace_back("architectures");
      wanted.emplace_back("checkpoints");
    }
    std::string json;
    for (const std::string& one : wanted) {
      report::Table table = table_of(one, context);
      if (context.wants_json) {
        json += fmt::format("{}\"{}\": {}", json.empty() ? "" : ", ", one, table.as_json());
      } else {
        fmt::print(
            "{}{}\n", table.as_text(), wanted.size() > 1 && one != wanted.back() ? "\n" : "");
      }
    }
    if (context.wants_json) fmt::print("{{{}}}\n", json);
    return 0;
  });
}

}  // namespace snellen::cli
