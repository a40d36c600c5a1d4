// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace snellen::text {

// A run of ASCII digits as English cardinal words, British style: "2018" -> "two thousand and
// eighteen", "21" -> "twenty-one". Leading zeros are ignored. More than 36 significant digits have
// no name (the list of names ends with the decillion): they are read out digit by digit.
std::string number_words(std::string_view digits);

// Every maximal digit run of a text replaced by its words, with their hyphens as spaces: "25 dogs"
// -> "twenty five dogs"; "2,500" has two runs. Decimal digits of other scripts count as digits.
std::string replace_numbers(std::string_view text);

}  // namespace snellen::text
