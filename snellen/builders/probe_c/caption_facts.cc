// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/caption_facts.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/text/characters.h"

namespace snellen::builders::probe_c {
namespace {

// A blank around every run of letters and around every other character. A hyphen between letters
// belongs to the word.
std::string spaced(std::string_view caption) {
  std::string text = " ";
  auto is_letter = [&](size_t i) {
    return i < caption.size() && ((caption[i] | 0x20) >= 'a' && (caption[i] | 0x20) <= 'z');
  };
  for (size_t i = 0; i < caption.size(); ++i) {
    bool is_hyphen = caption[i] == '-' && i > 0 && is_letter(i - 1) && is_letter(i + 1);
    if (is_letter(i)) {
      text.push_back(static_cast<char>(caption[i] | 0x20));
    } else if (is_hyphen) {
      text.push_back('-');
    } else if (size_t space = text::leading_space(caption.substr(i))) {
      text.push_back(' ');
      i += space - 1;
    } else {
      text += fmt::format(" {} ", caption[i]);
    }
  }
  // Words next to each other are one blank apart.
  text.push_back(' ');
  text.erase(
      std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
      text.end());
  return text;
}

}  // namespace

CaptionFacts::CaptionFacts(const annotations::CocoCaptionsFile& captions, const WordLists& words)
    : nouns_(words.nouns.begin(), words.nouns.end()),
      compounds_(words.compounds.begin(), words.compounds.end()) {
  for (const annotations::Attribute& attribute : attributes_.attributes())
    nouns_.erase(attribute.name);
  nouns_.insert(words.compounds.begin(), words.compounds.end());
  std::unordered_set<int64_t> seen;
  for (size_t i = 0; i < captions.elements().size(); ++i) {
    Result<annotations::CocoCaption> caption = captions.caption(i);
    if (!caption || !seen.insert(caption->id).second) continue;
    texts_[caption->image_id] += spaced(caption->caption) + "\n";
  }
}

bool CaptionFacts::has_pair(int64_t image,
                            std::string_view attribute,
                            std::string_view noun) const {
  auto found = texts_.find(image);
  if (found == texts_.end() || !is_noun(noun)) return false;
  std::string wanted = fmt::format(" {} {} ", attribute, noun);
  const std::string& text = found->second;
  for (size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) {
    // "red traffic light" is a pair of the compound, not of "traffic".
    size_t next = at + wanted.size();
    std::string compound = fmt::format(
        "{} {}", noun, std::string_view(text).substr(next, text.find(' ', next) - next));
    if (!compounds_.contains(compound)) return true;
  }
  return false;
}

bool CaptionFacts::has_like_pair(int64_t image,
                                 std::string_view attribute,
                                 std::string_view noun) const {
  if (has_pair(image, attribute, noun)) return true;
  for (const std::vector<std::string>& group : attributes_.synonym_groups()) {
    if (std::find(group.begin(), group.end(), attribute) == group.end()) continue;
    for (const std::string& synonym : group) {
      if (has_pair(image, synonym, noun)) return true;
    }
  }
  return false;
}

bool CaptionFacts::mentions(int64_t image, std::string_view noun) const {
  auto found = texts_.find(image);
  return found != texts_.end() &&
         found->second.find(fmt::format(" {} ", noun)) != std::string::npos;
}

bool CaptionFacts::is_antonym(std::string_view attribute, std::string_view antonym) const {
  const annotations::Attribute* entry = attributes_.find(attribute);
  return entry != nullptr && std::find(entry->antonyms.begin(), entry->antonyms.end(), antonym) !=
                                 entry->antonyms.end();
}

}  // namespace snellen::builders::probe_c
