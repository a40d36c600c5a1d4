// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::audit {

// The words of a text as an audit counts them: lower-cased runs of letters, digits, underscores and
// apostrophes, in their order. Punctuation and white space only part them.
std::vector<std::string> words_of(std::string_view text);

// Whether all texts have the same words, each as often, in whatever order, and are not all the same
// text.
bool are_same_words(const std::vector<std::string_view>& texts);

}  // namespace snellen::audit
