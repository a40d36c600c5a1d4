// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace snellen::metrics {

// What a decision is worth that would hold if only ties were won: nothing, one half, or all of it.
enum class Ties { kWrong, kHalf, kRight };

// The words of --ties; ViLMA's `foil` and `caption` are wrong and right. Nothing for other words.
std::optional<Ties> ties_of(std::string_view word);
std::string_view name_of(Ties ties);

// `holds`: without the help of a tie; `holds_with_ties`: were every tie won.
double credit_of(bool holds, bool holds_with_ties, Ties ties);

}  // namespace snellen::metrics
