// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_verdict.h"

#include <cmath>

#include <fmt/format.h>

namespace snellen::metrics {
namespace {

constexpr double kNegligible = 0.02;
constexpr uint64_t kFewestUnmoved = 40;

std::string shown(double value) {
  return fmt::format("{:.3g}", std::abs(value) < 5e-4 ? 0.0 : value);
}

std::string_view thing_of(ControlQuestion question) {
  switch (question) {
    case ControlQuestion::kPicture:
      return "the picture";
    case ControlQuestion::kOrder:
      return "the order of frames";
    case ControlQuestion::kMotion:
      return "motion";
  }
  return "the picture";
}

std::string bounds_of(const Bounded& one) {
  if (!one.low || !one.high) return "no interval";
  return fmt::format("{} to {}", shown(*one.low), shown(*one.high));
}

}  // namespace

ControlClass control_class(const ControlEvidence& evidence) {
  const Bounded& lost = evidence.lost;
  const Bounded& left = evidence.left;
  const double third = (evidence.clean - evidence.chance) / 3;
  const bool is_lower = lost.low && *lost.low > 0;
  if (is_lower && left.high && *left.high < third) return ControlClass::kNeeds;
  if (is_lower && left.low && *left.low > 0) return ControlClass::kInPart;
  const bool is_same =
      lost.low && lost.high && *lost.low >= -kNegligible && *lost.high <= kNegligible;
  const bool is_unmoved = evidence.num_items >= kFewestUnmoved && evidence.num_moved == 0;
  return is_same || is_unmoved ? ControlClass::kDoesNot : ControlClass::kCannotTell;
}

std::string_view name_of(ControlClass found) {
  switch (found) {
    case ControlClass::kNeeds:
      return "needs";
    case ControlClass::kInPart:
      return "in part";
    case ControlClass::kDoesNot:
      return "does not";
    case ControlClass::kCannotTell:
      break;
  }
  return "cannot tell";
}

std::string_view name_of(ControlQuestion question) {
  switch (question) {
    case ControlQuestion::kPicture:
      return "picture";
    case ControlQuestion::kOrder:
      return "order";
    case ControlQuestion::kMotion:
      break;
  }
  return "motion";
}

std::string control_sentence(ControlClass found,
                             ControlQuestion question,
                             const ControlEvidence& evidence,
                             std::string_view rung) {
  const std::string_view thing = thing_of(question);
  const std::string scores = fmt::format("{} clean, {} under {}",
                                         shown(evidence.clean),
                                         shown(evidence.chance + evidence.left.value),
                                         rung);
  const std::string numbers = fmt::format("{} (difference {}, {}; chance {})",
                                          scores,
                                          shown(evidence.lost.value),
                                          bounds_of(evidence.lost),
                                          shown(evidence.chance));
  const bool is_at_chance = !(evidence.clean > evidence.chance);
  switch (found) {
    case ControlClass::kNeeds:
      return fmt::format("this score needs {}: {}", thing, numbers);
    case ControlClass::kInPart:
      return fmt::format("part of this score does not need {}: {}", thing, numbers);
    case ControlClass::kDoesNot:
      return fmt::format("this score does not need {}: {}{}{}",
                         thing,
                         numbers,
                         evidence.num_moved == 0
                             ? fmt::format("; no score of {} items moved", evidence.num_items)
                             : "",
                         is_at_chance ? "; it is not above chance" : "");
    case ControlClass::kCannotTell:
      break;
  }
  return fmt::format(
      "cannot tell whether this score needs {}: {}; with {} items the score under {} {}",
      thing,
      numbers,
      evidence.num_items,
      rung,
      evidence.left.low && evidence.left.high
          ? fmt::format("lies {} above chance", bounds_of(evidence.left))
          : "has no interval");
}

}  // namespace snellen::metrics
