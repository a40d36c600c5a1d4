// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/gate_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/report/stored_run.h"
#include "snellen/report/summary.h"
#include "snellen/report/table.h"

namespace snellen::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestText = 1000;

std::string shown_or_undefined(const std::optional<double>& number) {
  return number ? shown(*number) : "undefined";
}

std::string shown_interval(const metrics::Measurement& one) {
  return one.low && one.high
             ? fmt::format(
                   "[{}, {}] {}", shown(*one.low), shown(*one.high), fit_text(one.interval, 30))
             : "none";
}

Table table_of(const GateVerdict& verdict) {
  Table table({{"verdict"},
               {"requirement"},
               {"value", true},
               {"interval"},
               {"n", true},
               {"compared"},
               {"needed"},
               {"note"}});
  for (const GateCheck& one : verdict.checks) {
    const Requirement& requirement = one.requirement;
    std::string note = one.reason;
    if (one.baseline && one.threshold)
      note = fmt::format("baseline {} over {} items", shown(one.baseline->value), one.baseline->n);
    if (note.empty()) note = fit_text(one.measured.reason);
    table.add(
        {one.is_met ? "met" : "NOT MET",
         fit_text(requirement.text, 200),
         shown(one.measured.value),
         shown_interval(one.measured),
         std::to_string(one.measured.n),
         fmt::format("{} {}", name_of(requirement.bound), shown_or_undefined(one.compared)),
         fmt::format("{} {}", sign_of(requirement.relation), shown_or_undefined(one.threshold)),
         note});
  }
  return table;
}

Table not_worse_table(const GateVerdict& verdict) {
  Table table({{"verdict"},
               {"not worse"},
               {"run", true},
               {"base", true},
               {"difference", true},
               {"interval"},
               {"n", true},
               {"at worst", true},
               {"needed"},
               {"note"}});
  for (const NotWorseCheck& one : verdict.not_worse) {
    const ComparedRow& row = one.row;
    table.add({one.is_met ? "met" : "NOT MET",
               fit_text(row.id, 120),
               shown(row.second),
               shown(row.first),
               shown(row.difference),
               row.interval ? fmt::format("[{}, {}] {}",
                                          shown(row.interval->low),
                                          shown(row.interval->high),
                                          row.interval->method)
                            : "none",
               std::to_string(row.n),
               shown_or_undefined(one.worst),
               fmt::format("> -{:g}", one.by),
               one.reason});
  }
  return table;
}

std::string interval_alone(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format("[{}, {}]", shown(*low), shown(*high)) : "none";
}

// For a terminal: what was asked and found, and below the tables what else is to be said.
std::string narrow_text(const GateVerdict& verdict, size_t width) {
  std::string text;
  std::string notes;
  auto note = [&](const std::string& about, const std::string& what) {
    if (!what.empty()) notes += wrapped_text(fmt::format("{}: {}", about, what), width) + "\n";
  };
  Table asked({{"verdict"}, {"requirement"}, {"value", true}, {"interval"}, {"n", true}});
  for (const GateCheck& one : verdict.checks) {
    const std::string requirement = fit_text(one.requirement.text, 200);
    asked.add({one.is_met ? "met" : "NOT MET",
               requirement,
               shown(one.measured.value),
               interval_alone(one.measured.low, one.measured.high),
               std::to_string(one.measured.n)});
    if (one.baseline && one.threshold)
      note(requirement,
           fmt::format("the baseline is {} over {} items, so that {} {} is needed",
                       shown(one.baseline->value),
                       one.baseline->n,
                       sign_of(one.requirement.relation),
                       shown(*one.threshold)));
    note(requirement, one.reason.empty() ? fit_text(one.measured.reason) : one.reason);
  }
  Table kept({{"verdict"}, {"not worse"}, {"difference", true}, {"interval"}, {"n", true}});
  for (const NotWorseCheck& one : verdict.not_worse) {
    const std::string id = fit_text(one.row.id, 120);
    const std::optional<stats::Interval>& interval = one.row.interval;
    kept.add({one.is_met ? "met" : "NOT MET",
              id,
              shown(one.row.difference),
              interval ? interval_alone(interval->low, interval->high) : "none",
              std::to_string(one.row.n)});
    if (one.worst)
      note(id, fmt::format("at worst {}, needed above -{:g}", shown(*one.worst), one.by));
    note(id, one.reason);
  }
  for (const Table& table : {asked, kept}) {
    if (!table.is_empty()) text += (text.empty() ? "" : "\n") + table.as_text(width);
  }
  return text + notes;
}

std::string count_of(const GateVerdict& verdict) {
  auto num_met = [](const auto& all) {
    return std::count_if(all.begin(), all.end(), [](const auto& one) { return one.is_met; });
  };
  return fmt::format("{} of {} requirements met",
                     num_met(verdict.checks) + num_met(verdict.not_worse),
                     verdict.checks.size() + verdict.not_worse.size());
}

// The tables that hold something, one after the other.
template <typename AsText>
std::string tables_of(const GateVerdict& verdict, AsText as_text) {
  std::string text;
  for (const Table& table : {table_of(verdict), not_worse_table(verdict)}) {
    if (!table.is_empty()) text += (text.empty() ? "" : "\n") + as_text(table);
  }
  return text;
}

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json measurement_json(const metrics::Measurement& one) {
  return {{"value", number(one.value)},
          {"n", one.n},
          {"low", number(one.low)},
          {"high", number(one.high)},
          {"interval", one.interval.empty() ? Json() : Json(fit_text(one.interval, kLongestText))},
          {"ties", one.ties},
          {"reason", one.reason.empty() ? Json() : Json(fit_text(one.reason, kLongestText))}};
}

}  // namespace

std::string verdict_as_text(const GateVerdict& verdict, size_t width) {
  std::string text = width > 0
                         ? narrow_text(verdict, width)
                         : tables_of(verdict, [](const Table& table) { return table.as_text(); });
  for (const std::string& line : verdict.warnings) {
    const std::string warning = fmt::format("warning: {}", line);
    text += (width > 0 ? wrapped_text(warning, width) : warning) + "\n";
  }
  if (verdict.num_unscored > 0)
    text += fmt::format("{} items of the run failed or were skipped and are in no number\n",
                        verdict.num_unscored);
  return text + fmt::format("{}: {}\n", verdict.is_met() ? "passed" : "failed", count_of(verdict));
}

std::string verdict_as_markdown(const GateVerdict& verdict) {
  std::string text = fmt::format(
      "## Snellen gate: {}\n\n{}.", verdict.is_met() ? "passed" : "failed", count_of(verdict));
  if (verdict.num_unscored > 0)
    text += fmt::format(" {} items of the run failed or were skipped and are in no number.",
                        verdict.num_unscored);
  Table runs({{""}, {"folder"}, {"model"}});
  runs.add({"run", fit_text(verdict.run, 200), fit_text(verdict.model)});
  if (!verdict.baseline.empty())
    runs.add({"baseline", fit_text(verdict.baseline, 200), fit_text(verdict.baseline_model)});
  if (!verdict.base.empty())
    runs.add({"base", fit_text(verdict.base, 200), fit_text(verdict.base_model)});
  Table warnings({{"warning"}});
  for (const std::string& line : verdict.warnings) warnings.add({line});
  text = fmt::format("{}\n\n{}\n{}",
                     text,
                     tables_of(verdict, [](const Table& table) { return table.as_markdown(); }),
                     runs.as_markdown());
  return warnings.is_empty() ? text : text + "\n" + warnings.as_markdown();
}

std::string verdict_as_json(const GateVerdict& verdict) {
  Json json = {{"schema", 1},
               {"verdict", verdict.is_met() ? "passed" : "failed"},
               {"run", verdict.run},
               {"model", fit_text(verdict.model, kLongestText)},
               {"baseline", verdict.baseline.empty() ? Json() : Json(verdict.baseline)},
               {"unscored", verdict.num_unscored},
               {"requirements", Json::array()}};
  for (const GateCheck& one : verdict.checks) {
    Json check = {{"requirement", one.requirement.text},
                  {"met", one.is_met},
                  {"metric", one.requirement.metric},
                  {"bound", name_of(one.requirement.bound)},
                  {"sign", sign_of(one.requirement.relation)},
                  {"compared", number(one.compared)},
                  {"threshold", number(one.threshold)},
                  {"why", one.reason.empty() ? Json() : Json(one.reason)},
                  {"measured", measurement_json(one.measured)},
                  {"baseline", one.baseline ? measurement_json(*one.baseline) : Json()}};
    json["requirements"].push_back(std::move(check));
  }
  json["base"] = verdict.base.empty() ? Json() : Json(verdict.base);
  json["not_worse"] = Json::array();
  for (const NotWorseCheck& one : verdict.not_worse) {
    Json check = {{"metric", one.row.id},
                  {"met", one.is_met},
                  {"by", one.by},
                  {"at_worst", number(one.worst)},
                  {"difference", number(one.row.difference)},
                  {"low", Json()},
                  {"high", Json()},
                  {"interval", Json()},
                  {"n", one.row.n},
                  {"why", one.reason.empty() ? Json() : Json(one.reason)}};
    if (one.row.interval) {
      check["low"] = number(one.row.interval->low);
      check["high"] = number(one.row.interval->high);
      check["interval"] = one.row.interval->method;
    }
    json["not_worse"].push_back(std::move(check));
  }
  json["warnings"] = verdict.warnings;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace snellen::report
