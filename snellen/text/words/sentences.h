// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace snellen::text {

// Cuts a text into sentences: after a run of . ? ! and any closing quotes or brackets, when white
// space follows. No cut after a single period that ends an initial, a word with an inner period or
// a listed abbreviation, nor after two or more periods before a lower-case letter. The published
// pipeline used a trained splitter whose model is not ours to ship; they differ only on periods
// inside a short answer. White space before the first sentence and after the last is kept; a text
// without a sentence gives none.
std::vector<std::string_view> split_sentences(std::string_view text);

}  // namespace snellen::text
