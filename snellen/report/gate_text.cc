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

std::string count_of(const GateVerdict& verdict) {
  auto met = std::count_if(verdict.checks.begin(), verdict.checks.end(), [](const GateCheck& one) {
    return one.is_met;
  });
  return fmt::format("{} of {} requirements met", met, verdict.checks.size());
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

std::string verdict_as_text(const GateVerdict& verdict) {
  std::string text = table_of(verdict).as_text();
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
  if (!verdict.baseline.empty()) runs.add({"baseline", fit_text(verdict.baseline, 200)});
  return fmt::format("{}\n\n{}\n{}", text, table_of(verdict).as_markdown(), runs.as_markdown());
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
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace snellen::report
