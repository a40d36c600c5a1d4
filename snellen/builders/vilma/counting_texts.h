// SPDX-License-Identifier: Apache-2.0
// Sentences of ViLMA's action counting, from templates that hold <number>
// (docs/spec/vilma.md 7.1, 7.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snellen::builders::vilma {

// The template without its count phrase: "a man jumps exactly <number> times." -> "a man jumps.".
std::string without_count(std::string_view sentence_template);

enum class CountStyle { kSpelled, kDigits };

// The template with a count of at least one; the singular one is used for one.
std::string with_count(std::string_view sentence_template,
                       std::string_view singular_template,
                       uint64_t count,
                       CountStyle style);

// The template for a count of one: the first plural noun after <number> in its singular. (The
// reference asked a parser, which now and then saw none: "<number> times on a trampoline".)
std::string singular_template(std::string_view sentence_template);

}  // namespace snellen::builders::vilma
