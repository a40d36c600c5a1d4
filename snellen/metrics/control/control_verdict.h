// SPDX-License-Identifier: Apache-2.0
// Does a score need the picture (docs/control.md)? The score as it is beside the score where the
// picture is taken away, and what may be said of the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snellen::metrics {

// A number with its interval; none where there is none.
struct Bounded {
  double value = 0;
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
};

// What is compared. Of a metric for which lower is better give all with their signs turned.
struct ControlEvidence {
  double clean = 0;
  double chance = 0;
  Bounded lost = {};       // clean - blind, item by item
  Bounded left = {};       // blind - chance
  uint64_t num_items = 0;  // scored both ways
  uint64_t num_moved = 0;  // of these, with a score that changed by 1e-6 or more
};

enum class ControlClass { kNeeds, kInPart, kDoesNot, kCannotTell };

// kNeeds: `lost` lies above 0 and `left` below a third of clean - chance, both with their
// intervals. kInPart: both lie above 0. kDoesNot: `lost` lies within 0.02 of 0, or not one score of
// at least 40 items moved. kCannotTell: anything else.
ControlClass control_class(const ControlEvidence& evidence);

// "needs", "in part", "does not", "cannot tell".
std::string_view name_of(ControlClass found);

// What is judged: the picture, the order of frames, their motion.
enum class ControlQuestion { kPicture, kOrder, kMotion };
// "picture", "order", "motion".
std::string_view name_of(ControlQuestion question);

// "this score needs the picture: 0.98 falls to 0.51 under gray (0.47 lower, 0.41 to 0.53), chance
// is 0.5". `rung` is the control that was judged by.
std::string control_sentence(ControlClass found,
                             ControlQuestion question,
                             const ControlEvidence& evidence,
                             std::string_view rung);

}  // namespace snellen::metrics
