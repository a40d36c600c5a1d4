// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::questions {

// Several texts as one answer of a model that takes them from somewhere, character by character: a
// record separator (U+001E) before each. A text that holds one itself comes back as two.
std::string answer_list(std::span<const std::string> texts);

// The texts of an answer that answer_list() made; none of any other answer.
std::optional<std::vector<std::string>> texts_of_list(std::string_view answer);

}  // namespace snellen::questions
