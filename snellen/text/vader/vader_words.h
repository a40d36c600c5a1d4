// SPDX-License-Identifier: Apache-2.0
// Every word VADER's rules look at, in one hash table: the lexicon, the boosters, the negations and
// the members of special phrases. A token is looked up once; the rules then only read the entry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

// Words that a rule names. kOther is any other word.
enum class VaderWordId : uint8_t {
  kOther,
  kNo,
  kOr,
  kNor,
  kNever,
  kSo,
  kThis,
  kWithout,
  kDoubt,
  kLeast,
  kAt,
  kVery,
  kBut,
  kKind,
  kOf,
  kThe,
  kShit,
  kBomb,
  kBad,
  kAss,
  kBus,
  kStop,
  kYeah,
  kRight,
  kKiss,
  kDeath,
  kTo,
  kDie,
  kFor,
  kBeating,
  kBroken,
  kHeart,
  kJust,
  kEnough,
  kSort,
};

struct VaderWord {
  double valence = 0;  // of the lexicon
  double booster = 0;  // +0.293, -0.293, 0 for a word that is neither booster nor dampener
  bool is_in_lexicon = false;
  bool is_negation = false;
  VaderWordId id = VaderWordId::kOther;
};

// Const methods are safe from many threads.
class VaderWords {
 public:
  // A key of up to this many bytes, zero-padded, is compared as four machine words.
  static constexpr size_t kShortKey = 32;
  using ShortKey = std::array<uint64_t, kShortKey / 8>;

  // The text of vader_lexicon.txt: token, TAB, mean valence; further fields are ignored, the last
  // of equal tokens wins. Throws kInvalidInput naming `source` and the line.
  VaderWords(std::string_view lexicon, std::string_view source);

  size_t lexicon_size() const { return lexicon_size_; }

  // The entry of a lower-cased word; never null: a word without one gets an entry with nothing set.
  const VaderWord& find(const ShortKey& key, size_t length) const;
  const VaderWord& find(std::string_view lower) const;

 private:
  struct Entry {
    ShortKey key;
    size_t length;
    VaderWord word;
  };
  VaderWord& entry_of(std::string_view lower);
  void add_rule_words();
  void index_entries();

  VaderWord unknown_;
  size_t lexicon_size_ = 0;
  std::vector<Entry> entries_;
  std::map<std::string, VaderWord, std::less<>> long_words_;
  std::map<std::string, size_t, std::less<>> positions_;  // of entries_, while they are collected
  std::vector<uint64_t> slots_;  // upper 32 bits of the hash, then entry index + 1
};

}  // namespace snellen::text
