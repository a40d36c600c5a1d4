// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "snellen/stats/multiple.h"

namespace snellen::metrics {
namespace {

std::optional<double> turned(const std::optional<double>& value, double sign) {
  return value ? std::optional(sign * *value) : std::nullopt;
}

// Low and high change places where signs are turned.
Bounded bounded(double value,
                const std::optional<double>& low,
                const std::optional<double>& high,
                double sign) {
  return {sign * value, turned(sign > 0 ? low : high, sign), turned(sign > 0 ? high : low, sign)};
}

double sign_of(const Measurement& one) {
  return one.higher_is_better ? 1.0 : -1.0;
}

ControlEvidence evidence_of(const Measurement& clean, const RungResult& rung) {
  const double sign = sign_of(clean);
  const double chance = sign * *clean.chance;
  ControlEvidence evidence{.clean = sign * clean.value,
                           .chance = chance,
                           .lost = bounded(rung.lost->value, rung.lost->low, rung.lost->high, sign),
                           .left = bounded(rung.score.value, rung.score.low, rung.score.high, sign),
                           .num_items = rung.lost->n,
                           .num_moved = rung.num_moved};
  evidence.left.value -= chance;
  if (evidence.left.low) *evidence.left.low -= chance;
  if (evidence.left.high) *evidence.left.high -= chance;
  return evidence;
}

bool has_score(const RungResult& rung) {
  return rung.lost && std::isfinite(rung.score.value) && std::isfinite(rung.lost->value);
}

void add_verdict(ControlledMetric& metric, ControlQuestion question, const RungResult& rung) {
  ControlVerdict verdict{
      .question = question, .rung = rung.rung, .evidence = evidence_of(metric.clean, rung)};
  verdict.found = control_class(verdict.evidence);
  ControlEvidence shown = verdict.evidence;
  if (!metric.clean.higher_is_better) {
    // People read the numbers as the metric has them.
    shown.clean = -shown.clean;
    shown.chance = -shown.chance;
    shown.left.value = -shown.left.value;
  }
  verdict.sentence = control_sentence(verdict.found, question, shown, rung.rung);
  metric.verdicts.push_back(std::move(verdict));
}

}  // namespace

bool is_blind_control(std::string_view rung) {
  constexpr std::array<std::string_view, 4> kBlind = {"none", "gray", "pure", "mismatch"};
  return std::find(kBlind.begin(), kBlind.end(), rung) != kBlind.end();
}

void judge_controls(ControlledMetric& metric) {
  std::vector<double> p_values;
  std::vector<RungResult*> tested;
  for (RungResult& rung : metric.rungs) {
    if (!rung.lost || !rung.lost->p) continue;
    p_values.push_back(*rung.lost->p);
    tested.push_back(&rung);
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (size_t i = 0; i < tested.size(); ++i) tested[i]->p_holm = adjusted[i];

  const Measurement& clean = metric.clean;
  if (!clean.chance || !std::isfinite(clean.value)) return;
  const double sign = sign_of(clean);
  const double above = sign * (clean.value - *clean.chance);
  const RungResult* best = nullptr;
  for (RungResult& rung : metric.rungs) {
    if (!is_blind_control(rung.rung) || !has_score(rung)) continue;
    if (above > 0) rung.leak_ratio = sign * (rung.score.value - *clean.chance) / above;
    if (!best || sign * rung.score.value > sign * best->score.value) best = &rung;
  }
  if (best) add_verdict(metric, ControlQuestion::kPicture, *best);
  for (const RungResult& rung : metric.rungs) {
    if (!has_score(rung)) continue;
    if (rung.rung == "reverse") add_verdict(metric, ControlQuestion::kOrder, rung);
    if (rung.rung == "freeze") add_verdict(metric, ControlQuestion::kMotion, rung);
  }
}

}  // namespace snellen::metrics
