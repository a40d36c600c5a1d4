// SPDX-License-Identifier: Apache-2.0
// Answers the cases that tools/parity/stats.py makes: one JSON case per line on stdin, one JSON
// array of numbers per line on stdout (null where a figure is undefined).
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/metrics/choice/average_precision.h"
#include "snellen/stats/agreement.h"
#include "snellen/stats/bootstrap.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/interval.h"
#include "snellen/stats/multiple.h"
#include "snellen/stats/paired.h"
#include "snellen/stats/quantile.h"
#include "snellen/stats/rank.h"
#include "snellen/stats/student.h"

namespace snellen::stats {
namespace {

using Json = nlohmann::json;
using Values = std::vector<double>;
using Answer = std::function<Json(const Json&)>;

Json json_of(const std::optional<Interval>& interval) {
  if (!interval) return {nullptr, nullptr};
  return {interval->low, interval->high};
}

Json json_of(const std::optional<double>& value) {
  return Json::array({value ? Json(*value) : Json(nullptr)});
}

BootstrapOptions options_of(const Json& json) {
  return {.replicates = json.at("replicates"),
          .confidence = json.at("confidence"),
          .seed = json.at("seed"),
          .num_threads = json.at("num_threads")};
}

Json answer_mcnemar(const Json& json) {
  McNemar test = mcnemar(json.at("b"), json.at("c"));
  return {test.exact, test.mid_p, test.chi2_corrected, test.p_corrected};
}

Json answer_mean_interval(const Json& json) {
  Moments moments;
  for (double value : json.at("values").get<Values>()) moments.add(value);
  return json_of(mean_interval(moments, json.at("confidence")));
}

Json answer_student(const Json& json) {
  double df = json.at("df");
  return {student_two_sided_p(json.at("t"), df), student_upper_quantile(json.at("tail"), df)};
}

// Items that share one cluster each, or two.
Json answer_cluster_mean(const Json& json) {
  Values values = json.at("values").get<Values>();
  ClusterSums sums(1);
  for (size_t item = 0; item < values.size(); ++item)
    sums.add(sums.unit(json.at("clusters")[item].get<std::vector<std::string>>()), 0, values[item]);
  MeanEstimate estimate = sums.estimate(0);
  MeanInterval found = interval_of(estimate, ValueKind::kMean, json.at("confidence"));
  Json answer = {estimate.mean, estimate.variance, estimate.degrees_of_freedom};
  for (const Json& bound : json_of(found.interval)) answer.push_back(bound);
  return answer;
}

Json answer_quantile(const Json& json) {
  Values values = json.at("values").get<Values>();
  std::sort(values.begin(), values.end());
  return Json::array({quantile(values, json.at("q"))});
}

Json answer_cluster_bootstrap(const Json& json) {
  const Json& clusters = json.at("clusters");
  const Json& columns =
      json.at("columns");  // each an array of values, null where the item has none
  ClusterSums bootstrap(columns.size());
  for (size_t item = 0; item < clusters.size(); ++item) {
    size_t number = bootstrap.unit(clusters[item].get<std::string>());
    for (size_t column = 0; column < columns.size(); ++column) {
      const Json& value = columns[column].at(item);
      if (!value.is_null()) bootstrap.add(number, column, value.get<double>());
    }
  }
  Json answer = Json::array();
  for (const auto& interval : bootstrap.intervals(options_of(json))) {
    for (const Json& bound : json_of(interval)) answer.push_back(bound);
  }
  return answer;
}

// Every item is a cluster of its own.
Json answer_bootstrap_mean(const Json& json) {
  ClusterSums items(1);
  for (const Json& value : json.at("values"))
    items.add(items.unit(std::to_string(items.num_units())), 0, value.get<double>());
  return json_of(items.intervals(options_of(json))[0]);
}

std::map<std::string, Answer> answers() {
  return {
      {"wilson",
       [](const Json& json) {
         return json_of(wilson(json.at("k"), json.at("n"), json.at("confidence")));
       }},
      {"normal_quantile",
       [](const Json& json) { return Json::array({normal_quantile(json.at("p"))}); }},
      {"mean_interval", answer_mean_interval},
      {"student", answer_student},
      {"cluster_mean", answer_cluster_mean},
      {"dyadic_mean", answer_cluster_mean},
      {"quantile", answer_quantile},
      {"mcnemar", answer_mcnemar},
      {"holm", [](const Json& json) { return Json(holm(json.at("p").get<Values>())); }},
      {"auroc",
       [](const Json& json) {
         return json_of(
             auroc(json.at("positives").get<Values>(), json.at("negatives").get<Values>()));
       }},
      {"average_precision",
       [](const Json& json) {
         return Json::array({metrics::average_precision(
             json.at("labels").get<std::vector<uint8_t>>(), json.at("scores").get<Values>())});
       }},
      {"fleiss_kappa",
       [](const Json& json) {
         return json_of(fleiss_kappa(json.at("counts").get<std::vector<uint64_t>>(),
                                     json.at("num_categories")));
       }},
      {"bootstrap_mean", answer_bootstrap_mean},
      {"cluster_bootstrap", answer_cluster_bootstrap},
  };
}

int answer_stdin() {
  const std::map<std::string, Answer> table = answers();
  std::string line;
  while (std::getline(std::cin, line)) {
    Json json = Json::parse(line);
    std::cout << table.at(json.at("kind").get<std::string>())(json).dump() << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace snellen::stats

int main() {
  try {
    return snellen::stats::answer_stdin();
  } catch (const std::exception& error) {
    std::cerr << "stats_parity: " << error.what() << "\n";
    return 1;
  }
}
