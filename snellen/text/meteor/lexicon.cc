// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/lexicon.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <unordered_map>

#include "snellen/base/parse_number.h"
#include "snellen/text/meteor/hash_mix.h"

namespace snellen::text::meteor {
namespace {

struct SuffixRule {
  std::string_view suffix;
  std::string_view replacement;
};

// In METEOR's order: nouns, verbs, adjectives one after the other, whatever the word is.
constexpr std::array<SuffixRule, 20> kSuffixRules = {
    {{"s", ""},      {"ses", "s"},   {"xes", "x"}, {"zes", "z"}, {"ches", "ch"},
     {"shes", "sh"}, {"men", "man"}, {"ies", "y"}, {"s", ""},    {"ies", "y"},
     {"es", "e"},    {"es", ""},     {"ed", "e"},  {"ed", ""},   {"ing", "e"},
     {"ing", ""},    {"er", ""},     {"est", ""},  {"er", "e"},  {"est", "e"}}};

std::string_view line_at(std::string_view text, size_t at) {
  std::string_view rest = text.substr(at);
  std::string_view line = rest.substr(0, rest.find('\n'));
  return !line.empty() && line.back() == '\r' ? line.substr(0, line.size() - 1) : line;
}

// Calls visit(piece) for every piece that spaces separate; stops when it says false.
template <typename Visit>
bool for_each_piece(std::string_view line, Visit visit) {
  for (size_t at = 0; at < line.size();) {
    size_t end = std::min(line.find(' ', at), line.size());
    if (end > at && !visit(line.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

// Calls visit(key, value, key's place, line number) for the lines of a table, two by two.
template <typename Visit>
void for_each_entry(std::string_view text, const std::string& name, Visit visit) {
  if (text.size() > std::numeric_limits<uint32_t>::max() - 2) {
    throw Error{ErrorCode::kInvalidInput, "the table is larger than 4 GB", name};
  }
  uint64_t number = 1;
  for (size_t at = 0; at < text.size(); number += 2) {
    size_t value_at = text.find('\n', at);
    if (value_at == std::string_view::npos || ++value_at == text.size()) {
      throw Error{ErrorCode::kInvalidInput,
                  "the table ends in the middle of an entry: entries have two lines",
                  fmt::format("{}: line {}", name, number),
                  "fetch the table again"};
    }
    visit(line_at(text, at), line_at(text, value_at), at, number);
    at = std::min(text.find('\n', value_at), text.size() - 1) + 1;
  }
}

size_t num_slots_for(std::string_view text) {
  auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  return std::bit_ceil(lines + 2);  // two lines per key: at most half full
}

class SlotTable {
 public:
  explicit SlotTable(std::string_view text) : text_(text), slots_(num_slots_for(text)) {}

  // A key that comes again replaces the earlier one, as in the original's hash table.
  void put(std::string_view key, size_t at) {
    size_t mask = slots_.size() - 1;
    size_t slot = hash_bytes(key) & mask;
    while (slots_[slot] != 0 && line_at(text_, slots_[slot] - 1) != key) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(at + 1);
  }
  const std::vector<uint32_t>& slots() const { return slots_; }

 private:
  std::string_view text_;
  std::vector<uint32_t> slots_;
};

// base -> forms becomes form -> bases, forms in byte order.
std::string invert_exceptions(const LexiconTexts& texts) {
  std::unordered_map<std::string_view, std::string> bases;
  for_each_entry(texts.exceptions,
                 texts.exceptions_name,
                 [&bases](std::string_view base, std::string_view forms, size_t, uint64_t) {
                   for_each_piece(forms, [&](std::string_view form) {
                     bases[form].append(base).push_back(' ');
                     return true;
                   });
                 });
  std::vector<std::string_view> forms;
  forms.reserve(bases.size());
  for (const auto& [form, ignored] : bases) forms.push_back(form);
  std::sort(forms.begin(), forms.end());
  std::string text;
  for (std::string_view form : forms)
    text.append(form).append("\n").append(bases[form]).append("\n");
  return text;
}

}  // namespace

std::string build_lexicon(const LexiconTexts& texts, std::string_view source_sha256) {
  SlotTable lemmas(texts.synsets);
  for_each_entry(texts.synsets,
                 texts.synsets_name,
                 [&](std::string_view lemma, std::string_view ids, size_t at, uint64_t number) {
                   auto is_id = [](std::string_view piece) {
                     return parse_number<int64_t>(piece).has_value();
                   };
                   if (!for_each_piece(ids, is_id)) {
                     throw Error{ErrorCode::kInvalidInput,
                                 "a synset id is not an integer",
                                 fmt::format("{}: line {}", texts.synsets_name, number + 1),
                                 "fetch the table again"};
                   }
                   lemmas.put(lemma, at);
                 });
  std::string forms_text = invert_exceptions(texts);
  SlotTable forms(forms_text);
  for_each_entry(
      forms_text,
      texts.exceptions_name,
      [&](std::string_view form, std::string_view, size_t at, uint64_t) { forms.put(form, at); });
  IndexWriter writer(kLexiconFormat, source_sha256);
  writer.add_bytes(texts.synsets);
  writer.add(lemmas.slots());
  writer.add_bytes(forms_text);
  writer.add(forms.slots());
  return std::move(writer).finish();
}

Lexicon lexicon_of(const LexiconTexts& texts) {
  return Lexicon(*IndexFile::open(build_lexicon(texts, {}), kLexiconFormat));
}

Lexicon::Lexicon() = default;

Lexicon::Lexicon(IndexFile file) {
  file_.push_back(std::move(file));
  auto table = [this](size_t section) {
    auto text = file_.front().section<char>(section);
    return Table{{text.data(), text.size()}, file_.front().section<uint32_t>(section + 1)};
  };
  lemmas_ = table(0);
  forms_ = table(2);
  if (!std::has_single_bit(lemmas_.slots.size()) || !std::has_single_bit(forms_.slots.size())) {
    throw Error{ErrorCode::kInvalidInput, "the sections of the lexicon do not fit together"};
  }
}

std::string_view Lexicon::Table::find(std::string_view key) const {
  if (slots.empty()) return {};
  size_t mask = slots.size() - 1;
  size_t slot = hash_bytes(key) & mask;
  for (size_t probes = 0; probes <= mask && slots[slot] != 0; ++probes, slot = (slot + 1) & mask) {
    size_t at = slots[slot] - 1;
    if (at >= text.size()) return {};
    if (line_at(text, at) != key) continue;
    size_t value_at = text.find('\n', at);
    return value_at < text.size() ? line_at(text, value_at + 1) : std::string_view{};
  }
  return {};
}

void Lexicon::append_synsets(std::string_view lemma, std::vector<int64_t>& ids) const {
  for_each_piece(lemmas_.find(lemma), [&ids](std::string_view piece) {
    if (const std::optional<int64_t> id = parse_number<int64_t>(piece)) ids.push_back(*id);
    return true;
  });
}

std::string Lexicon::base_form(std::string_view word) const {
  // The original counts UTF-16 units, which differs from bytes for words that no rule and no lemma
  // knows.
  if (word.size() <= 2 || word.ends_with("ss")) return std::string(word);
  for (const SuffixRule& rule : kSuffixRules) {
    if (!word.ends_with(rule.suffix)) continue;
    std::string base(word.substr(0, word.size() - rule.suffix.size()));
    base += rule.replacement;
    // The original means to put "ful" back on words that end so; no rule applies to them, so it
    // never happens.
    if (has_lemma(base)) return base;
  }
  return {};
}

void Lexicon::synsets_of(std::string_view word, std::vector<int64_t>& ids) const {
  ids.clear();
  if (is_empty()) return;
  append_synsets(word, ids);
  std::string_view bases = forms_.find(word);
  if (bases.data() != nullptr) {
    for_each_piece(bases, [&](std::string_view base) {
      append_synsets(base, ids);
      return true;
    });
  } else {
    append_synsets(base_form(word), ids);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace snellen::text::meteor
