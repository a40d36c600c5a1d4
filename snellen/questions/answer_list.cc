// SPDX-License-Identifier: Apache-2.0
#include "snellen/questions/answer_list.h"

#include <algorithm>

namespace snellen::questions {
namespace {

constexpr char kSeparator = '\x1e';

}  // namespace

std::string answer_list(std::span<const std::string> texts) {
  std::string answer;
  for (const std::string& text : texts) (answer += kSeparator) += text;
  return answer;
}

std::optional<std::vector<std::string>> texts_of_list(std::string_view answer) {
  if (!answer.starts_with(kSeparator)) return std::nullopt;
  std::vector<std::string> texts;
  for (size_t at = 0; at < answer.size();) {
    const size_t end = std::min(answer.find(kSeparator, at + 1), answer.size());
    texts.emplace_back(answer.substr(at + 1, end - at - 1));
    at = end;
  }
  return texts;
}

}  // namespace snellen::questions
