// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/json_object.h"
#include "snellen/formats/json.h"

namespace snellen::store {
namespace {

constexpr int kResultsSchema = 1;

JsonValue text_or_null(const std::string& text) {
  return text.empty() ? JsonValue() : text;
}

double number_or_nan(const nlohmann::json& value) {
  return value.is_number() ? value.get<double>() : std::nan("");
}

uint64_t count_of(const nlohmann::json& value, const std::string& where) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  throw Error{ErrorCode::kInvalidInput,
              "holds a count that is no whole number from 0 on",
              where,
              "verify the run, or run it again"};
}

std::optional<double> number_or_none(const nlohmann::json& value) {
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

}  // namespace

std::string results_to_json(const Results& results) {
  std::vector<metrics::Measurement> sorted = results.metrics;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::string json =
      fmt::format("{{\"schema\": {}, \"run\": {}, ", kResultsSchema, json_string(results.run));
  if (!results.tie_rule.empty())
    json += fmt::format("\"tie_rule\": {}, ", json_string(results.tie_rule));
  json += "\"metrics\": [";
  for (size_t i = 0; i < sorted.size(); ++i) {
    const metrics::Measurement& one = sorted[i];
    json += i == 0 ? "\n  " : ",\n  ";
    json += json_object({{"id", one.id},
                         {"value", one.value},
                         {"n", one.n},
                         {"low", one.low},
                         {"high", one.high},
                         {"interval", text_or_null(one.interval)},
                         {"ties", one.ties},
                         {"reason", text_or_null(one.reason)},
                         {"higher_is_better", one.higher_is_better},
                         {"chance", one.chance}})
                .text;
  }
  return json + "\n]}\n";
}

Results results_from_json(std::string_view text, const std::string& where) {
  try {
    nlohmann::json json =
        formats::parse_json_object(text, where, "verify the run, or run it again");
    if (json.at("schema") != kResultsSchema) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "has schema {}, this build reads {}", json.at("schema").dump(), kResultsSchema),
          where};
    }
    Results results;
    results.run = json.at("run").get<std::string>();
    results.tie_rule = json.value("tie_rule", "");
    for (const nlohmann::json& one : json.at("metrics")) {
      auto text_of = [&](const char* key) {
        return one.at(key).is_string() ? one.at(key).get<std::string>() : std::string();
      };
      results.metrics.push_back({.id = one.at("id").get<std::string>(),
                                 .value = number_or_nan(one.at("value")),
                                 .n = count_of(one.at("n"), where),
                                 .low = number_or_none(one.at("low")),
                                 .high = number_or_none(one.at("high")),
                                 .interval = text_of("interval"),
                                 .ties = count_of(one.at("ties"), where),
                                 .reason = text_of("reason"),
                                 .higher_is_better = one.at("higher_is_better").get<bool>(),
                                 .chance = number_or_none(one.at("chance"))});
    }
    return results;
  } catch (const nlohmann::json::exception& error) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("is no results file: {}", error.what()),
                where,
                "verify the run, or run it again"};
  }
}

Results read_results(const std::filesystem::path& path) {
  return results_from_json(read_text_file(path), path.string());
}

}  // namespace snellen::store
