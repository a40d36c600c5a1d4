// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vader/vader_rules.h"

#include <array>
#include <map>
#include <set>
#include <vector>

namespace snellen::text {
namespace {

using Id = VaderWordId;
using Tokens = std::span<const VaderToken>;

constexpr double kCapital = 0.733;
constexpr double kNegation = -0.74;
constexpr double kNeverSo = 1.25;
constexpr double kDampener = -0.293;

struct Phrase {
  std::array<Id, 3> words;
  size_t length;
  double value;
};

// "badass" of the published table is one word, and only pairs and triples are ever looked up.
constexpr std::array<Phrase, 9> kSpecial = {{
    {{Id::kThe, Id::kShit, Id::kOther}, 2, 3},
    {{Id::kThe, Id::kBomb, Id::kOther}, 2, 3},
    {{Id::kBad, Id::kAss, Id::kOther}, 2, 1.5},
    {{Id::kBus, Id::kStop, Id::kOther}, 2, 0},
    {{Id::kYeah, Id::kRight, Id::kOther}, 2, -2},
    {{Id::kKiss, Id::kOf, Id::kDeath}, 3, -1.5},
    {{Id::kTo, Id::kDie, Id::kFor}, 3, 3},
    {{Id::kBeating, Id::kHeart, Id::kOther}, 2, 3.1},
    {{Id::kBroken, Id::kHeart, Id::kOther}, 2, -2.9},
}};

Id id_of(Tokens tokens, size_t i) {
  return tokens[i].word->id;
}

const Phrase* special_phrase(Tokens tokens, size_t first, size_t length) {
  Id id = id_of(tokens, first);
  if (id == Id::kOther || id_of(tokens, first + 1) == Id::kOther) return nullptr;
  for (const Phrase& phrase : kSpecial) {
    if (phrase.length != length || phrase.words[0] != id) continue;
    if (phrase.words[1] != id_of(tokens, first + 1)) continue;
    if (length == 3 && phrase.words[2] != id_of(tokens, first + 2)) continue;
    return &phrase;
  }
  return nullptr;
}

// "just enough", "kind of", "sort of".
bool is_dampening_pair(Tokens tokens, size_t first) {
  Id one = id_of(tokens, first);
  Id two = id_of(tokens, first + 1);
  return (one == Id::kJust && two == Id::kEnough) ||
         ((one == Id::kKind || one == Id::kSort) && two == Id::kOf);
}

double after_phrases(Tokens tokens, size_t i, double valence) {
  struct Range {
    size_t first;
    size_t length;
  };
  const std::array<Range, 5> before = {
      {{i - 1, 2}, {i - 2, 3}, {i - 2, 2}, {i - 3, 3}, {i - 3, 2}}};
  for (const Range& range : before) {
    if (const Phrase* phrase = special_phrase(tokens, range.first, range.length)) {
      valence = phrase->value;
      break;
    }
  }
  if (i + 1 < tokens.size()) {
    if (const Phrase* phrase = special_phrase(tokens, i, 2)) valence = phrase->value;
  }
  if (i + 2 < tokens.size()) {
    if (const Phrase* phrase = special_phrase(tokens, i, 3)) valence = phrase->value;
  }
  if (is_dampening_pair(tokens, i - 3)) valence += kDampener;
  if (is_dampening_pair(tokens, i - 2)) valence += kDampener;
  return valence;
}

bool is_so_or_this(Id id) {
  return id == Id::kSo || id == Id::kThis;
}

double after_negation(Tokens tokens, size_t i, size_t distance, double valence) {
  if (distance == 1) {
    if (id_of(tokens, i - 2) == Id::kNever && is_so_or_this(id_of(tokens, i - 1))) {
      return valence * kNeverSo;
    }
    if (id_of(tokens, i - 2) == Id::kWithout && id_of(tokens, i - 1) == Id::kDoubt) return valence;
  } else if (distance == 2) {
    // The published condition lets "so" or "this" at i-1 count without a "never".
    if ((id_of(tokens, i - 3) == Id::kNever && is_so_or_this(id_of(tokens, i - 2))) ||
        is_so_or_this(id_of(tokens, i - 1))) {
      return valence * kNeverSo;
    }
    if (id_of(tokens, i - 3) == Id::kWithout &&
        (id_of(tokens, i - 2) == Id::kDoubt || id_of(tokens, i - 1) == Id::kDoubt)) {
      return valence;
    }
  }
  return tokens[i - distance - 1].is_negation ? valence * kNegation : valence;
}

double boost_of(const VaderToken& token, size_t distance, double valence, bool cap_difference) {
  if (token.word->booster == 0) return 0;
  double boost = valence < 0 ? -token.word->booster : token.word->booster;
  if (token.is_upper && cap_difference) boost += valence > 0 ? kCapital : -kCapital;
  if (distance == 1) return boost * 0.95;
  if (distance == 2) return boost * 0.9;
  return boost;
}

bool follows_no(Tokens tokens, size_t i) {
  if (i > 0 && id_of(tokens, i - 1) == Id::kNo) return true;
  if (i > 1 && id_of(tokens, i - 2) == Id::kNo) return true;
  return i > 2 && id_of(tokens, i - 3) == Id::kNo &&
         (id_of(tokens, i - 1) == Id::kOr || id_of(tokens, i - 1) == Id::kNor);
}

bool follows_least(Tokens tokens, size_t i) {
  if (i == 0 || id_of(tokens, i - 1) != Id::kLeast || tokens[i - 1].word->is_in_lexicon) {
    return false;
  }
  return i == 1 || (id_of(tokens, i - 2) != Id::kAt && id_of(tokens, i - 2) != Id::kVery);
}

// Below this many non-zero values a plain search is faster than keeping them ordered.
constexpr size_t kFewValues = 64;

double factor_at(size_t position, size_t but) {
  return position < but ? 0.5 : position > but ? 1.5 : 1.0;
}

void weigh_first_equal_few(std::span<double> values, std::span<const size_t> filled, size_t but) {
  for (size_t k : filled) {
    double x = values[k];
    for (size_t position : filled) {
      if (values[position] != x) continue;
      values[position] = x * factor_at(position, but);
      break;
    }
  }
}

// The same with the positions of each value kept in order, so that a long text costs n log n.
void weigh_first_equal_many(std::span<double> values, std::span<const size_t> filled, size_t but) {
  std::map<double, std::set<size_t>> positions;
  for (size_t k : filled) positions[values[k]].insert(positions[values[k]].end(), k);
  for (size_t k : filled) {
    double x = values[k];
    auto found = positions.find(x);
    size_t position = *found->second.begin();
    found->second.erase(found->second.begin());
    if (found->second.empty()) positions.erase(found);
    values[position] = x * factor_at(position, but);
    positions[values[position]].insert(position);
  }
}

}  // namespace

bool has_cap_difference(std::span<const VaderToken> tokens) {
  size_t num_upper = 0;
  for (const VaderToken& token : tokens) num_upper += token.is_upper ? 1 : 0;
  return num_upper > 0 && num_upper < tokens.size();
}

double valence_of(std::span<const VaderToken> tokens, size_t i, bool cap_difference) {
  const VaderWord& word = *tokens[i].word;
  if (!word.is_in_lexicon || word.booster != 0) return 0;
  bool has_next = i + 1 < tokens.size();
  if (word.id == Id::kKind && has_next && id_of(tokens, i + 1) == Id::kOf) return 0;
  double valence = word.valence;
  if (word.id == Id::kNo && has_next && tokens[i + 1].word->is_in_lexicon) valence = 0;
  if (follows_no(tokens, i)) valence = word.valence * kNegation;
  if (tokens[i].is_upper && cap_difference) valence += valence > 0 ? kCapital : -kCapital;
  for (size_t distance = 0; distance < 3 && distance < i; ++distance) {
    const VaderToken& before = tokens[i - distance - 1];
    if (before.word->is_in_lexicon) continue;
    valence += boost_of(before, distance, valence, cap_difference);
    valence = after_negation(tokens, i, distance, valence);
    if (distance == 2) valence = after_phrases(tokens, i, valence);
  }
  return follows_least(tokens, i) ? valence * kNegation : valence;
}

void weigh_around_but(std::span<double> values, size_t but, bool is_fixed) {
  if (is_fixed) {
    for (size_t k = 0; k < values.size(); ++k) values[k] *= factor_at(k, but);
    return;
  }
  // Zeros stay zero whatever their factor.
  std::vector<size_t> filled;
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k] != 0) filled.push_back(k);
  }
  if (filled.size() <= kFewValues) {
    weigh_first_equal_few(values, filled, but);
  } else {
    weigh_first_equal_many(values, filled, but);
  }
}

}  // namespace snellen::text
