// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/score.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/nearest.h"
#include "snellen/text/meteor/java_text.h"

namespace snellen::metrics::meteor {
namespace {

struct Task {
  const char* name;
  Parameters parameters;
};

constexpr std::array<Task, 5> kTasks = {{{"rank", {}},
                                         {"adq", {0.75, 1.40, 0.45, 0.70, {1.0, 1.0, 0.6, 0.8}}},
                                         {"hter", {0.40, 1.50, 0.35, 0.55, {1.0, 0.2, 0.6, 0.8}}},
                                         {"li", {0.75, 1.40, 0.70, 0.50, {1.0, 0.5, 0.5, 0.5}}},
                                         {"tune", {0.5, 1.0, 0.5, 0.5, {1.0, 0.5, 0.5, 0.5}}}}};

double weighted_length(double words, double function_words, double delta) {
  return delta * (words - function_words) + (1.0 - delta) * function_words;
}

// First all content words, then all function words: the order of the original's sums.
double weighted_matches(const Statistics& statistics,
                        const Parameters& parameters,
                        double ModuleCounts::*content,
                        double ModuleCounts::*function) {
  double sum = 0;
  for (size_t i = 0; i < kNumModules; ++i) {
    sum += statistics.modules[i].*content * parameters.weights[i] * parameters.delta;
  }
  for (size_t i = 0; i < kNumModules; ++i) {
    sum += statistics.modules[i].*function * parameters.weights[i] * (1.0 - parameters.delta);
  }
  return sum;
}

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::array<double, Statistics::kNumValues> Statistics::values() const {
  std::array<double, kNumValues> all{
      hypothesis_words, reference_words, hypothesis_function_words, reference_function_words};
  size_t at = 4;
  for (const ModuleCounts& module : modules) {
    all[at++] = module.hypothesis_content;
    all[at++] = module.reference_content;
    all[at++] = module.hypothesis_function;
    all[at++] = module.reference_function;
  }
  all[at++] = chunks;
  all[at++] = hypothesis_matched;
  all[at++] = reference_matched;
  return all;
}

Statistics Statistics::of(const std::array<double, kNumValues>& v) {
  Statistics statistics{v[0], v[1], v[2], v[3], {}, v[20], v[21], v[22]};
  for (size_t i = 0; i < kNumModules; ++i) {
    statistics.modules[i] = {v[4 + 4 * i], v[5 + 4 * i], v[6 + 4 * i], v[7 + 4 * i]};
  }
  return statistics;
}

bool Statistics::is_whole() const {
  return hypothesis_matched == hypothesis_words && reference_matched == reference_words &&
         chunks == 1;
}

void Statistics::add(const Statistics& other) {
  std::array<double, kNumValues> sums = values();
  std::array<double, kNumValues> more = other.values();
  double chunks_before = chunks;
  for (size_t i = 0; i < kNumValues; ++i) sums[i] += more[i];
  *this = of(sums);
  if (other.is_whole()) chunks = chunks_before;
}

void append_statistics(std::string& out, const Statistics& statistics) {
  bool is_first = true;
  for (double value : statistics.values()) {
    if (!is_first) out.push_back(' ');
    is_first = false;
    text::meteor::append_java_double(out, value);
  }
}

std::optional<Statistics> parse_statistics(std::string_view text) {
  std::array<double, Statistics::kNumValues> values{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (double& value : values) {
    while (at != end && is_space(*at)) ++at;
    if (at != end && *at == '+') ++at;
    auto [stop, code] = std::from_chars(at, end, value);
    if (code != std::errc{} || (stop != end && !is_space(*stop))) return {};
    at = stop;
  }
  return Statistics::of(values);
}

Parameters parameters_of(std::string_view task) {
  std::vector<std::string> names;
  for (const Task& known : kTasks) {
    if (task == known.name) return known.parameters;
    names.emplace_back(known.name);
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown METEOR task '{}'", task),
              "--task",
              suggest(task, names)};
}

Score score_of(const Statistics& s, const Parameters& p) {
  Score score;
  double hypothesis_length =
      weighted_length(s.hypothesis_words, s.hypothesis_function_words, p.delta);
  double reference_length = weighted_length(s.reference_words, s.reference_function_words, p.delta);
  double hypothesis_matches =
      weighted_matches(s, p, &ModuleCounts::hypothesis_content, &ModuleCounts::hypothesis_function);
  double reference_matches =
      weighted_matches(s, p, &ModuleCounts::reference_content, &ModuleCounts::reference_function);
  score.precision = hypothesis_matches / hypothesis_length;
  score.recall = reference_matches / reference_length;
  score.f_mean = 1.0 / ((1.0 - p.alpha) / score.precision + p.alpha / score.recall);
  double fragmentation =
      s.is_whole() ? 0 : s.chunks / ((s.hypothesis_matched + s.reference_matched) / 2);
  score.penalty = p.gamma * std::pow(fragmentation, p.beta);
  score.score = score.f_mean * (1.0 - score.penalty);
  if (!(score.score > 0)) score.score = 0;  // NaN too: nothing to compare scores nothing
  if (std::isnan(score.f_mean)) score.f_mean = 0;
  if (std::isnan(score.penalty)) score.penalty = 0;
  return score;
}

}  // namespace snellen::metrics::meteor
