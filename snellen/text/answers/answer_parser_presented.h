// SPDX-License-Identifier: Apache-2.0
// Options are shown in some order, and not always all of them; what counts is which option was
// meant. "C" is an identity, not a position (docs/spec/bias.md 1.1).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "snellen/text/answers/answer_parser.h"
#include "snellen/text/answers/answer_parser_compat.h"

namespace snellen::text {

struct PresentedAnswer {
  ParsedAnswer parsed;             // index into the canonical options
  std::optional<size_t> position;  // where the chosen option stood
};

// `canonical` are the question's options, `presented[p]` the canonical index of the one shown at
// place p; empty means all of them in canonical order. Throws kInvalidInput for an index out of
// range or shown twice.
PresentedAnswer parse_presented(AnswerRule rule,
                                std::string_view response,
                                const AnswerOptions& canonical,
                                std::span<const size_t> presented);

}  // namespace snellen::text
