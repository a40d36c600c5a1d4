// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser_presented.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::text {

PresentedAnswer parse_presented(AnswerRule rule,
                                std::string_view response,
                                const AnswerOptions& canonical,
                                std::span<const size_t> presented) {
  check_options(canonical);
  if (presented.empty()) {
    ParsedAnswer parsed = parse_answer_by(rule, response, canonical);
    return {parsed, parsed.index};
  }
  std::vector<std::string> shown;
  std::optional<size_t> unknown;
  for (size_t place = 0; place < presented.size(); ++place) {
    size_t option = presented[place];
    bool is_again = std::find(presented.begin(),
                              presented.begin() + static_cast<std::ptrdiff_t>(place),
                              option) != presented.begin() + static_cast<std::ptrdiff_t>(place);
    if (option >= canonical.texts.size() || is_again) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "presented option {} at place {} is out of range or shown twice", option, place)};
    }
    if (option == canonical.unknown) unknown = place;
    shown.push_back(canonical.texts[option]);
  }
  PresentedAnswer answer;
  answer.parsed = parse_answer_by(rule, response, {.texts = shown, .unknown = unknown});
  answer.position = answer.parsed.index;
  if (answer.position) answer.parsed.index = presented[*answer.position];
  return answer;
}

}  // namespace snellen::text
