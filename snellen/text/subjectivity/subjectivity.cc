// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/subjectivity/subjectivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/parse_number.h"
#include "snellen/text/characters.h"
#include "snellen/text/subjectivity/pattern_tokens.h"

namespace snellen::text {
namespace {

constexpr std::string_view kAdverb = "RB";
constexpr std::string_view kAdjective = "JJ";

// Of all senses of a word with one part of speech.
struct Senses {
  std::string part;
  double subjectivity = 0;
  double intensity = 0;
  size_t count = 0;
};

struct Entry {
  std::string form;
  std::vector<Senses> parts;  // in order of first appearance

  const Senses* find(std::string_view part) const {
    const auto found = std::find_if(
        parts.begin(), parts.end(), [&](const Senses& one) { return one.part == part; });
    return found == parts.end() ? nullptr : &*found;
  }
};

std::string unescaped(std::string_view value) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kNames = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  while (!value.empty()) {
    const auto name = std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) {
      return value.starts_with(one.first);
    });
    out += name == kNames.end() ? value.front() : name->second;
    value.remove_prefix(name == kNames.end() ? 1 : name->first.size());
  }
  return out;
}

// The value of an attribute of one element.
std::optional<std::string> attribute(std::string_view element, std::string_view name) {
  const std::string mark = fmt::format(" {}=\"", name);
  const size_t at = element.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const size_t begin = at + mark.size();
  const size_t end = element.find('"', begin);
  if (end == std::string_view::npos) return std::nullopt;
  return unescaped(element.substr(begin, end - begin));
}

double number(std::string_view element,
              std::string_view name,
              double otherwise,
              const std::string& where) {
  const std::optional<std::string> text = attribute(element, name);
  if (!text) return otherwise;
  const std::optional<double> value = parse_number<double>(*text);
  if (!value || !std::isfinite(*value))
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("'{}' is \"{}\", which is no number", name, text->substr(0, 40)),
                where};
  return *value;
}

// The words of the file in order of first appearance.
std::vector<Entry> entries_of(std::string_view xml, const std::string& where) {
  std::vector<Entry> entries;
  std::unordered_map<std::string, size_t> places;
  for (size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at)) {
    if (xml.substr(at).starts_with("<!--")) {
      at = std::min(xml.find("-->", at), xml.size() - 1);
      continue;
    }
    const size_t end = std::min(xml.find('>', at), xml.size());
    const std::string_view element = xml.substr(at, end - at);
    at = end;
    if (!element.starts_with("<word ")) continue;
    const std::optional<std::string> form = attribute(element, "form");
    if (!form || form->empty()) continue;
    const auto [found, is_new] = places.try_emplace(*form, entries.size());
    if (is_new) entries.push_back({*form, {}});
    Entry& entry = entries[found->second];
    const std::string part = attribute(element, "pos").value_or("");
    auto senses = std::find_if(entry.parts.begin(), entry.parts.end(), [&](const Senses& one) {
      return one.part == part;
    });
    if (senses == entry.parts.end()) senses = entry.parts.insert(senses, {.part = part});
    senses->subjectivity += number(element, "subjectivity", 0, where);
    senses->intensity += number(element, "intensity", 1, where);
    ++senses->count;
  }
  for (Entry& entry : entries) {
    for (Senses& one : entry.parts) {
      one.subjectivity /= static_cast<double>(one.count);
      one.intensity /= static_cast<double>(one.count);
    }
  }
  return entries;
}

// "terrible" gives "terribly", "happy" gives "happily".
std::string adverb_of(std::string adjective) {
  if (adjective.ends_with('y')) adjective.back() = 'i';
  if (adjective.ends_with("le")) adjective.resize(adjective.size() - 2);
  return adjective + "ly";
}

size_t length_of(std::string_view word) {
  size_t count = 0;
  for (size_t at = 0; at < word.size(); at += decode_at(word, at).size) ++count;
  return count;
}

bool is_negation(std::string_view word) {
  return word == "no" || word == "not" || word == "n't" || word == "never";
}

std::string_view without_quotes(std::string_view word) {
  while (word.starts_with('\'')) word.remove_prefix(1);
  while (word.ends_with('\'')) word.remove_suffix(1);
  return word;
}

}  // namespace

Subjectivity Subjectivity::from_file(const std::filesystem::path& lexicon) {
  return from_xml(read_text_file(lexicon), lexicon.string());
}

Subjectivity Subjectivity::from_xml(std::string_view xml, const std::string& where) {
  const std::vector<Entry> entries = entries_of(xml, where);
  if (entries.empty())
    throw Error{ErrorCode::kInvalidInput,
                "holds no <word> with a form",
                where,
                "give TextBlob's en-sentiment.xml"};
  Words words;
  for (const Entry& entry : entries) {
    Word word;
    word.intensity = 0;
    for (const Senses& one : entry.parts) {
      word.subjectivity += one.subjectivity;
      word.intensity += one.intensity;
    }
    word.subjectivity /= static_cast<double>(entry.parts.size());
    word.intensity /= static_cast<double>(entry.parts.size());
    word.is_adverb = entry.find(kAdverb) != nullptr;
    words.emplace(entry.form, word);
  }
  // Adverbs take over what their adjective says, later ones in place of earlier ones.
  for (const Entry& entry : entries) {
    if (const Senses* adjective = entry.find(kAdjective))
      words.insert_or_assign(adverb_of(entry.form),
                             Word{adjective->subjectivity, adjective->intensity, true});
  }
  return Subjectivity(std::move(words));
}

double Subjectivity::score(std::string_view text) const {
  struct Assessed {
    double subjectivity;
    double intensity;
  };
  std::vector<Assessed> assessed;
  bool has_modifier = false;
  bool does_modifier_end_in_ly = false;
  bool has_negation = false;
  for (const std::string& word : pattern_words(text)) {
    const auto known = words_.find(word);
    if (known != words_.end()) {
      const Word& own = known->second;
      if (has_modifier) {
        Assessed& last = assessed.back();
        last.subjectivity = std::max(-1.0, std::min(own.subjectivity * last.intensity, 1.0));
        last.intensity = own.intensity;
      } else {
        assessed.push_back({own.subjectivity, own.intensity});
      }
      if (has_negation) assessed.back().intensity = 1.0 / assessed.back().intensity;
      has_modifier = own.is_adverb;
      does_modifier_end_in_ly = word.ends_with("ly");
      has_negation = is_negation(word);
      continue;
    }
    // A negation is kept over small words ("not a good"), and so is a modifier.
    if (is_negation(word)) {
      has_negation = true;
    } else if (has_negation && length_of(without_quotes(word)) > 1) {
      has_negation = false;
    }
    if (has_negation && has_modifier && does_modifier_end_in_ly) {
      has_negation = false;
    } else if (has_modifier && length_of(word) > 2) {
      has_modifier = false;
    }
    if (word == "(!)" || is_emoticon(word)) assessed.push_back({1, 1});
  }
  double sum = 0;
  for (const Assessed& one : assessed) sum += one.subjectivity;
  return sum / static_cast<double>(std::max<size_t>(1, assessed.size()));
}

}  // namespace snellen::text
