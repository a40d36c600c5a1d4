// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/progress.h"
#include "apps/cli/run/run_output.h"

namespace snellen::cli {
namespace {

std::string shown_bytes(uint64_t bytes) {
  double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

JsonObject dry_run_json(const run::DryRun& dry) {
  JsonValue::List tasks;
  for (const run::PlannedTask& task : dry.tasks)
    tasks.push_back(JsonObject{{"name", task.name},
                               {"items", task.num_items},
                               {"bad_records", task.num_bad},
                               {"first_bad", task.first_bad.empty() ? JsonValue() : task.first_bad},
                               {"scores", task.num_scores},
                               {"visuals", task.num_visuals},
                               {"texts", task.num_texts}});
  JsonValue::List work;
  for (const run::PlannedWork& one : dry.work)
    work.push_back(JsonObject{{"kind", one.kind},
                              {"visuals", one.visuals},
                              {"texts", one.texts},
                              {"pairs", one.pairs},
                              {"forwards", one.forwards()},
                              {"one_by_one", one.one_by_one},
                              {"saved", one.saved()},
                              {"seconds", one.seconds > 0 ? JsonValue(one.seconds) : nullptr}});
  return {
      {"tasks", tasks},
      {"visuals", dry.num_visuals},
      {"texts", dry.num_texts},
      {"work", work},
      {"decode_seconds", dry.decode_seconds},
      {"memory_bytes", dry.memory_bytes},
      {"missing",
       JsonObject{
           {"count", dry.num_missing}, {"are_needed", dry.needs_files}, {"first", dry.missing}}}};
}

report::Table task_table(const run::DryRun& dry) {
  report::Table table({{"task"},
                       {"items", true},
                       {"bad records", true},
                       {"scores", true},
                       {"distinct visuals", true},
                       {"distinct texts", true}});
  for (const run::PlannedTask& task : dry.tasks)
    table.add({task.name,
               std::to_string(task.num_items),
               std::to_string(task.num_bad),
               std::to_string(task.num_scores),
               std::to_string(task.num_visuals),
               std::to_string(task.num_texts)});
  table.add({"all", "", "", "", std::to_string(dry.num_visuals), std::to_string(dry.num_texts)});
  return table;
}

report::Table work_table(const run::DryRun& dry) {
  report::Table table({{"with a model of kind"},
                       {"visuals", true},
                       {"texts", true},
                       {"pairs", true},
                       {"forwards", true},
                       {"saved", true},
                       {"about", true}});
  for (const run::PlannedWork& one : dry.work)
    table.add({one.kind,
               std::to_string(one.visuals),
               std::to_string(one.texts),
               std::to_string(one.pairs),
               std::to_string(one.forwards()),
               std::to_string(one.saved()),
               one.seconds > 0 ? shown_time(one.seconds) : "?"});
  return table;
}

// As the run itself would end: with failed items where a record is bad or a file is not there that
// the model looks at.
int exit_code_of(const run::DryRun& dry) {
  bool is_bad = dry.needs_files && dry.num_missing > 0;
  for (const run::PlannedTask& task : dry.tasks) is_bad = is_bad || task.num_bad > 0;
  return exit_code_of_verdict(is_bad ? run::Verdict::kFailures : run::Verdict::kComplete);
}

}  // namespace

int show_dry_run(const Context& context, const run::DryRun& dry, Format format) {
  if (context.wants_json) {
    print_json(dry_run_json(dry));
    return exit_code_of(dry);
  }
  print_table(task_table(dry), format);
  fmt::print("\n");
  print_table(work_table(dry), format);
  fmt::print("\ndecoding takes about {} more where it does not overlap; memory about {}\n",
             shown_time(dry.decode_seconds),
             shown_bytes(dry.memory_bytes));
  std::fflush(stdout);
  for (const run::PlannedTask& task : dry.tasks) {
    if (task.num_bad > 0)
      print_note("{}: {} bad records, the first: {}\n", task.name, task.num_bad, task.first_bad);
  }
  if (dry.num_missing > 0) {
    print_note("{} of {} distinct visuals have no file:\n", dry.num_without_file, dry.num_visuals);
    for (const std::string& path : dry.missing) print_note("  {}\n", path);
    if (dry.num_missing > dry.missing.size())
      print_note("  ... and {} more\n", dry.num_missing - dry.missing.size());
    if (!dry.needs_files) print_note("  (this model does not look at them)\n");
  }
  return exit_code_of(dry);
}

}  // namespace snellen::cli
