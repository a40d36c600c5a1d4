// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/ties.h"

namespace snellen::metrics {

std::optional<Ties> ties_of(std::string_view word) {
  if (word == "wrong" || word == "foil") return Ties::kWrong;
  if (word == "half") return Ties::kHalf;
  if (word == "right" || word == "caption") return Ties::kRight;
  return std::nullopt;
}

std::string_view name_of(Ties ties) {
  switch (ties) {
    case Ties::kWrong:
      return "wrong";
    case Ties::kHalf:
      return "half";
    case Ties::kRight:
      return "right";
  }
  return "wrong";
}

double credit_of(bool holds, bool holds_with_ties, Ties ties) {
  if (holds) return 1;
  if (!holds_with_ties || ties == Ties::kWrong) return 0;
  return ties == Ties::kHalf ? 0.5 : 1;
}

}  // namespace snellen::metrics
