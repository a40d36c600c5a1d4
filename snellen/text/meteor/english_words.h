// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace snellen::text::meteor {

// The English function words (docs/spec/visdial.md 4.2); `word` is lower-cased.
bool is_function_word(std::string_view word);

// Words whose final dot ends no sentence (docs/spec/visdial.md 4.1), without that dot: always, or
// before a digit only.
bool is_nonbreaking_prefix(std::u32string_view word);
bool is_numeric_prefix(std::u32string_view word);

}  // namespace snellen::text::meteor
