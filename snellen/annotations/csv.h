// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::annotations {

// Rows of fields as RFC 4180 has them: quoted fields may hold commas, line ends and doubled quotes.
// A byte order mark and empty lines are passed over. Throws kInvalidInput (naming `where`) for a
// quote that never closes.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::string_view where);

}  // namespace snellen::annotations
