// SPDX-License-Identifier: Apache-2.0
// Any bytes: every rule names an option that exists, exactly when it says that it parsed one.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/answers/answer_parser_compat.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using snellen::text::AnswerRule;
  using snellen::text::AnswerStatus;
  const std::vector<std::string> options = {"Yes", "No", "Not enough information"};
  std::string_view response(reinterpret_cast<const char*>(data), size);
  for (AnswerRule rule : {AnswerRule::kDefault,
                          AnswerRule::kParen,
                          AnswerRule::kParenFallback,
                          AnswerRule::kPrefix,
                          AnswerRule::kFirstParen,
                          AnswerRule::kMmmu}) {
    auto answer = snellen::text::parse_answer_by(rule, response, {.texts = options, .unknown = 2});
    bool is_parsed = answer.status == AnswerStatus::kParsed;
    if (is_parsed != answer.index.has_value()) std::abort();
    if (answer.index && *answer.index >= options.size()) std::abort();
    if (answer.rule.empty()) std::abort();
  }
  return 0;
}
