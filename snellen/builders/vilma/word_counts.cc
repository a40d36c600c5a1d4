// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/word_counts.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/base/json_object.h"
#include "snellen/formats/csv.h"
#include "snellen/formats/json_elements.h"

namespace snellen::builders::vilma {
namespace {

namespace dom = simdjson::dom;

struct Words {
  std::string caption;
  std::vector<std::string> foils;
};

// A text, or a whole number as text: counts are classes too.
std::optional<std::string> word_of(dom::element element) {
  std::string_view text;
  if (element.get(text) == simdjson::SUCCESS) return std::string(text);
  int64_t number = 0;
  if (element.get(number) == simdjson::SUCCESS) return std::to_string(number);
  return std::nullopt;
}

std::vector<std::string> words_of(dom::array list) {
  std::vector<std::string> words;
  for (const dom::element element : list) {
    if (const auto word = word_of(element)) words.push_back(*word);
  }
  return words;
}

// "peeling a lemon" -> "lemon".
std::optional<std::string> noun_of(std::string_view sentence) {
  for (const std::string_view article : {" a ", " an ", " some "}) {
    const size_t found = sentence.find(article);
    if (found != std::string_view::npos)
      return std::string(sentence.substr(found + article.size()));
  }
  return std::nullopt;
}

bool exchanges_noun(dom::object item) {
  const auto positions = annotations::list_in(item, "foil_masked_pos");
  std::string_view position;
  return positions && positions->size() > 0 &&
         positions->at(0).get(position) == simdjson::SUCCESS && position == "noun";
}

// What the item's own texts say of its foils, where they say more than `classes_foil`.
void derive_foils(dom::object item, Words& words) {
  dom::object info;
  if (item.at_key("foils_info").get(info) == simdjson::SUCCESS) {
    if (const auto predicted = annotations::list_in(info, "predicted_words");
        predicted && predicted->size() > words.foils.size())
      words.foils = words_of(*predicted);
  }
  if (!exchanges_noun(item)) return;
  const auto foils = annotations::list_in(item, "foils");
  std::vector<std::string> nouns;
  for (const std::string& foil : foils ? words_of(*foils) : std::vector<std::string>()) {
    if (const auto noun = noun_of(foil)) nouns.push_back(*noun);
  }
  if (!nouns.empty()) words.foils = nouns;
}

Result<Words> main_words(dom::object item, bool is_compat, std::string_view where) {
  dom::element one;
  Words words;
  const auto foils = annotations::list_in(item, "classes_foil");
  const auto caption =
      item.at_key("class").get(one) == simdjson::SUCCESS ? word_of(one) : std::nullopt;
  if (!caption || !foils)
    return annotations::bad_record("has no 'class' with 'classes_foil'", where);
  words.caption = *caption;
  words.foils = words_of(*foils);
  if (!is_compat) derive_foils(item, words);
  return words;
}

Result<Words> proficiency_words(dom::object item, std::string_view where) {
  dom::object pair;
  if (item.at_key("proficiency").get(pair) == simdjson::SUCCESS) {
    const auto target = annotations::text_in(pair, "mask_target");
    const auto word = annotations::text_in(pair, "predicted_word");
    if (target && word) return Words{std::string(*target), {std::string(*word)}};
  }
  return annotations::bad_record("has no 'proficiency.mask_target' with 'predicted_word'", where);
}

}  // namespace

WordCounts count_words(std::span<const std::filesystem::path> files,
                       CountedWords which,
                       bool is_compat) {
  WordCounts counts;
  for (const std::filesystem::path& path : files) {
    const formats::JsonElements elements(path);
    for (size_t i = 0; i < elements.size(); ++i) {
      const std::string where = elements.where(i);
      const auto item = annotations::parse_object(elements.element(i), where);
      Result<Words> words = !item                          ? Result<Words>(item.error())
                            : which == CountedWords::kMain ? main_words(*item, is_compat, where)
                                                           : proficiency_words(*item, where);
      if (!words) {
        counts.bad_records.add(words.error());
        continue;
      }
      ++counts.num_items;
      ++counts.words[words->caption].captions;
      for (const std::string& foil : words->foils) ++counts.words[foil].foils;
    }
  }
  return counts;
}

std::string word_counts_csv(const WordCounts& counts) {
  std::string out = "class,captions,foils\n";
  for (const auto& [word, count] : counts.words)
    out += fmt::format("{},{},{}\n", formats::csv_field(word), count.captions, count.foils);
  return out;
}

std::string word_counts_json(const WordCounts& counts) {
  std::string out = "[";
  for (const auto& [word, count] : counts.words) {
    out += out.size() > 1 ? ",\n " : "\n ";
    out +=
        json_object({{"class", word}, {"captions", count.captions}, {"foils", count.foils}}).text;
  }
  return out + "\n]\n";
}

}  // namespace snellen::builders::vilma
