// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vader/vader_words.h"

#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/parse_number.h"
#include "snellen/text/unicode_case.h"

namespace snellen::text {
namespace {

constexpr double kBoost = 0.293;

constexpr std::string_view kNegations =
    "aint arent cannot cant couldnt darent didnt doesnt ain't aren't can't couldn't daren't didn't "
    "doesn't dont "
    "hadnt hasnt havent isnt mightnt mustnt neither don't hadn't hasn't haven't isn't mightn't "
    "mustn't neednt "
    "needn't never none nope nor not nothing nowhere oughtnt shant shouldnt uhuh wasnt werent "
    "oughtn't shan't "
    "shouldn't uh-uh wasn't weren't without wont wouldnt won't wouldn't rarely seldom despite";

constexpr std::string_view kBoosters =
    "absolutely amazingly awfully completely considerable considerably decidedly deeply effing "
    "enormous "
    "enormously entirely especially exceptional exceptionally extreme extremely fabulously "
    "flipping flippin "
    "frackin fracking fricking frickin frigging friggin fully fuckin fucking fuggin fugging "
    "greatly hella highly "
    "hugely incredible incredibly intensely major majorly more most particularly purely quite "
    "really remarkably "
    "so substantially thoroughly total totally tremendous tremendously uber unbelievably unusually "
    "utter utterly "
    "very";

constexpr std::string_view kDampeners =
    "almost barely hardly kinda kindof kind-of less little marginal marginally occasional "
    "occasionally partly "
    "scarce scarcely slight slightly somewhat sorta sortof sort-of";

// In the order of VaderWordId, without kOther.
constexpr std::string_view kNamed =
    "no or nor never so this without doubt least at very but kind of the shit bomb bad ass bus "
    "stop yeah right "
    "kiss death to die for beating broken heart just enough sort";

template <typename Visitor>
void for_each_word(std::string_view words, Visitor visit) {
  while (!words.empty()) {
    size_t end = std::min(words.find(' '), words.size());
    visit(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

uint64_t hash_of(const VaderWords::ShortKey& key, size_t length) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  uint64_t hash = (key[0] ^ length) * kOdd;
  if (length > 8) {
    hash = (hash ^ hash >> 29 ^ key[1]) * kOdd;
    if (length > 16) {
      hash = (hash ^ hash >> 29 ^ key[2]) * kOdd;
      hash = (hash ^ hash >> 29 ^ key[3]) * kOdd;
    }
  }
  return hash ^ hash >> 32;
}

// Spelt out, because == of arrays calls memcmp.
bool is_same(const VaderWords::ShortKey& a, const VaderWords::ShortKey& b) {
  return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0;
}

VaderWords::ShortKey short_key(std::string_view word) {
  VaderWords::ShortKey key{};
  std::memcpy(key.data(), word.data(), word.size());
  return key;
}

}  // namespace

VaderWords::VaderWords(std::string_view lexicon, std::string_view source) {
  size_t line_number = 0;
  for (size_t at = 0; at < lexicon.size();) {
    size_t end = std::min(lexicon.find('\n', at), lexicon.size());
    std::string_view line = trimmed(lexicon.substr(at, end - at));
    at = end + 1;
    ++line_number;
    if (line.empty()) continue;
    size_t tab = line.find('\t');
    std::string_view measure =
        tab == std::string_view::npos ? std::string_view{} : line.substr(tab + 1);
    measure = trimmed(measure.substr(0, measure.find('\t')));
    if (measure.starts_with('+')) measure.remove_prefix(1);
    const std::optional<double> valence = parse_number<double>(measure);
    if (!valence || !std::isfinite(*valence)) {
      throw Error{ErrorCode::kInvalidInput,
                  "line is not a token, a tab and a finite number",
                  fmt::format("{}: line {}", source, line_number),
                  "give the vader_lexicon.txt of the vaderSentiment package"};
    }
    VaderWord& word = entry_of(line.substr(0, tab));
    if (!word.is_in_lexicon) ++lexicon_size_;
    word.is_in_lexicon = true;
    word.valence = *valence;
  }
  if (lexicon_size_ == 0) {
    throw Error{ErrorCode::kInvalidInput,
                "holds no words",
                std::string(source),
                "give the vader_lexicon.txt of the vaderSentiment package"};
  }
  add_rule_words();
  index_entries();
}

VaderWord& VaderWords::entry_of(std::string_view lower) {
  if (lower.size() > kShortKey) return long_words_[std::string(lower)];
  auto [place, is_new] = positions_.try_emplace(std::string(lower), entries_.size());
  if (is_new) entries_.push_back({short_key(lower), lower.size(), {}});
  return entries_[place->second].word;
}

void VaderWords::add_rule_words() {
  for_each_word(kNegations, [&](std::string_view word) { entry_of(word).is_negation = true; });
  for_each_word(kBoosters, [&](std::string_view word) { entry_of(word).booster = kBoost; });
  for_each_word(kDampeners, [&](std::string_view word) { entry_of(word).booster = -kBoost; });
  uint8_t id = 0;
  for_each_word(kNamed,
                [&](std::string_view word) { entry_of(word).id = static_cast<VaderWordId>(++id); });
  SNELLEN_CHECK(id == static_cast<uint8_t>(VaderWordId::kSort));
}

void VaderWords::index_entries() {
  positions_.clear();
  size_t num_slots = 64;
  while (num_slots < 3 * entries_.size()) num_slots *= 2;
  slots_.assign(num_slots, 0);
  for (size_t i = 0; i < entries_.size(); ++i) {
    uint64_t hash = hash_of(entries_[i].key, entries_[i].length);
    size_t slot = hash & (num_slots - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (num_slots - 1);
    slots_[slot] = (hash & 0xFFFFFFFF00000000ULL) | (i + 1);
  }
}

const VaderWord& VaderWords::find(const ShortKey& key, size_t length) const {
  uint64_t hash = hash_of(key, length);
  size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if ((slots_[slot] ^ hash) >> 32 != 0) continue;
    const Entry& entry = entries_[(slots_[slot] & 0xFFFFFFFFULL) - 1];
    if (entry.length == length && is_same(entry.key, key)) return entry.word;
  }
  return unknown_;
}

const VaderWord& VaderWords::find(std::string_view lower) const {
  if (lower.size() <= kShortKey) return find(short_key(lower), lower.size());
  auto found = long_words_.find(lower);
  return found == long_words_.end() ? unknown_ : found->second;
}

}  // namespace snellen::text
