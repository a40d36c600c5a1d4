// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/lexicon.h"

#include <algorithm>

#include "snellen/base/ascii.h"
#include "snellen/base/error.h"
#include "snellen/text/characters.h"

namespace snellen::builders::probe_c {
namespace {

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

// Letters from `at` on, with hyphens that stand between letters.
size_t end_of_word(std::string_view text, size_t at) {
  while (at < text.size()) {
    bool is_inner_hyphen = text[at] == '-' && at + 1 < text.size() && is_letter(text[at + 1]);
    if (!is_letter(text[at]) && !is_inner_hyphen) break;
    ++at;
  }
  return at;
}

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

void for_each_token(std::string_view lower_cased,
                    const std::function<void(std::string_view)>& take) {
  for (size_t at = 0; at < lower_cased.size();) {
    if (is_letter(lower_cased[at])) {
      size_t end = end_of_word(lower_cased, at);
      take(lower_cased.substr(at, end - at));
      at = end;
      continue;
    }
    std::string_view rest = lower_cased.substr(at);
    if (size_t space = text::leading_space(rest)) {
      at += space;
      continue;
    }
    size_t size = text::decode_at(lower_cased, at).size;
    take(rest.substr(0, size));
    at += size;
  }
}

Lexicon::Lexicon(std::span<const std::string> nouns, std::span<const std::string> compounds) {
  add_attributes();
  for (const std::string& noun : nouns) {
    if (!noun.empty() && !std::binary_search(attributes_.begin(), attributes_.end(), noun))
      nouns_.push_back(noun);
  }
  nouns_.insert(nouns_.end(), compounds.begin(), compounds.end());
  sort_unique(nouns_);
  for (uint32_t number = 0; number < nouns_.size(); ++number) {
    const std::string& noun = nouns_[number];
    size_t blank = noun.find(' ');
    if (blank == std::string::npos) {
      words_[noun].noun = number;
    } else {
      words_[noun.substr(0, blank)].compounds.emplace_back(noun.substr(blank + 1), number);
    }
  }
}

void Lexicon::add_attributes() {
  annotations::AttributeTable table;
  for (const annotations::Attribute& attribute : table.attributes())
    attributes_.push_back(attribute.name);
  std::sort(attributes_.begin(), attributes_.end());
  auto number_of = [&](const std::string& name) {
    auto found = std::lower_bound(attributes_.begin(), attributes_.end(), name);
    SNELLEN_CHECK(found != attributes_.end() && *found == name);
    return static_cast<uint32_t>(found - attributes_.begin());
  };
  antonyms_.resize(attributes_.size());
  same_.resize(attributes_.size());
  for (const annotations::Attribute& attribute : table.attributes()) {
    uint32_t number = number_of(attribute.name);
    words_[attribute.name].attribute = number;
    same_[number] = {number};
    for (const std::string& antonym : attribute.antonyms)
      antonyms_[number].push_back(number_of(antonym));
  }
  for (const std::vector<std::string>& group : table.synonym_groups()) {
    for (const std::string& name : group) {
      for (const std::string& other : group) {
        if (other != name) same_[number_of(name)].push_back(number_of(other));
      }
    }
  }
}

const Lexicon::Word* Lexicon::find(std::string_view token) const {
  auto found = words_.find(token);
  return found == words_.end() ? nullptr : &found->second;
}

uint32_t Lexicon::compound_at(const Word* first, std::string_view second) {
  if (first == nullptr) return kNone;
  for (const auto& [word, noun] : first->compounds) {
    if (word == second) return noun;
  }
  return kNone;
}

CaptionWords Lexicon::words_of(std::string_view caption) const {
  const std::string lower = ascii_lower(caption);
  struct Token {
    std::string_view text;
    const Word* word;
  };
  std::vector<Token> tokens;
  for_each_token(lower, [&](std::string_view token) { tokens.push_back({token, find(token)}); });
  CaptionWords found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    // The noun or compound that begins at i, the compound first: that is what a pair takes.
    uint32_t noun = tokens[i].word == nullptr ? kNone : tokens[i].word->noun;
    uint32_t compound =
        i + 1 < tokens.size() ? compound_at(tokens[i].word, tokens[i + 1].text) : kNone;
    for (uint32_t mentioned : {noun, compound}) {
      if (mentioned != kNone) found.nouns.push_back(mentioned);
    }
    bool follows_attribute =
        i > 0 && tokens[i - 1].word != nullptr && tokens[i - 1].word->attribute != kNone;
    uint32_t paired = compound != kNone ? compound : noun;
    if (follows_attribute && paired != kNone)
      found.pairs.push_back({.attribute = tokens[i - 1].word->attribute, .noun = paired});
  }
  sort_unique(found.pairs);
  sort_unique(found.nouns);
  return found;
}

}  // namespace snellen::builders::probe_c
