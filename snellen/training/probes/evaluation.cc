// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/evaluation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/training/probes/probe_tally.h"

namespace snellen::training {
namespace {

constexpr std::string_view kHeldOut = "held-out";

std::string found_name(const Batch& batch) {
  return fmt::format("{}/found", batch.set);
}

std::string name_of(const Batch& batch, const Contrast& contrast) {
  return fmt::format("{}/{}", batch.set, contrast.kind.empty() ? "contrast" : contrast.kind);
}

void count(const Batch& batch, size_t number, const Evaluation& result, ProbeTally& tally) {
  for (size_t i = 0; i < result.matches.size(); ++i)
    tally.add(found_name(batch), fmt::format("{}/{}", number, i), result.matches[i], std::nullopt);
  for (size_t i = 0; i < result.contrasts.size(); ++i) {
    const Contrast& contrast = batch.contrasts[i];
    tally.add(name_of(batch, contrast),
              fmt::format("{}/{}", number, contrast.sample),
              result.contrasts[i],
              0.5);
  }
}

}  // namespace

std::optional<double> EvaluationReport::value(std::string_view name) const {
  double found = name == "loss" ? loss : std::numeric_limits<double>::quiet_NaN();
  for (const metrics::Measurement& score : scores) {
    if (score.id == name) found = score.value;
  }
  return std::isfinite(found) ? std::optional(found) : std::nullopt;
}

EvaluationReport evaluate(Learner& learner,
                          std::span<const Batch> held_out,
                          const Probes* probes,
                          const ObserveEvaluation& observe) {
  EvaluationReport report;
  ProbeTally tally;
  const uint64_t num_steps = held_out.size() + (probes ? probes->set.size() : 0);
  double total = 0, num_losses = 0;
  for (size_t i = 0; i < held_out.size(); ++i) {
    const Evaluation one = learner.evaluate(held_out[i]);
    if (held_out[i].set == kHeldOut) {
      total += one.loss;
      ++num_losses;
    }
    count(held_out[i], i, one, tally);
    observe(i + 1, num_steps);
  }
  if (num_losses > 0) report.loss = total / num_losses;
  report.scores = tally.measure();
  if (!probes) return report;
  ProbeReport asked =
      probes->set.ask(*probes->open(learner), probes->num_threads, [&](uint64_t done, uint64_t) {
        observe(held_out.size() + done, num_steps);
      });
  std::move(asked.scores.begin(), asked.scores.end(), std::back_inserter(report.scores));
  report.num_failed = asked.num_failed;
  report.reasons = std::move(asked.reasons);
  return report;
}

std::vector<std::string> watchable_names(std::span<const Batch> held_out, const Probes* probes) {
  std::vector<std::string> names;
  auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (!held_out.empty()) add("loss");
  for (const Batch& batch : held_out) {
    if (batch.num_visuals > 0) add(found_name(batch));
    for (const Contrast& contrast : batch.contrasts) add(name_of(batch, contrast));
  }
  if (probes) {
    for (const std::string& name : probes->set.names()) add(name);
  }
  return names;
}

void EarlyStopping::see(std::string_view name, const EvaluationReport& report) {
  const std::optional<double> value = report.value(name);
  const bool is_better = value && (!best || (name == "loss" ? *value < *best : *value > *best));
  if (is_better) {
    best = value;
    num_worse = 0;
  } else {
    ++num_worse;
  }
}

}  // namespace snellen::training
