// SPDX-License-Identifier: Apache-2.0
#include "snellen/audit/text_words.h"

#include <algorithm>

#include "snellen/text/characters.h"

namespace snellen::audit {

std::vector<std::string> words_of(std::string_view text) {
  const std::string lower = text::lower(text);
  std::vector<std::string> words;
  std::string word;
  for (size_t at = 0; at < lower.size();) {
    const text::CodePoint c = text::decode_at(lower, at);
    if (text::is_word(c.value) || c.value == U'\'') {
      word += lower.substr(at, c.size);
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
    at += c.size;
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool are_same_words(const std::vector<std::string_view>& texts) {
  if (texts.size() < 2) return false;
  std::vector<std::string> first = words_of(texts.front());
  std::sort(first.begin(), first.end());
  bool is_another = false;
  for (size_t i = 1; i < texts.size(); ++i) {
    std::vector<std::string> other = words_of(texts[i]);
    std::sort(other.begin(), other.end());
    if (other != first) return false;
    is_another = is_another || texts[i] != texts.front();
  }
  return is_another;
}

}  // namespace snellen::audit
