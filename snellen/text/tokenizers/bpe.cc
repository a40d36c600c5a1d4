// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/bpe.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/byte_letters.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

// Up to here a scan over the ranks beats a heap.
constexpr size_t kShortWord = 40;

Error bad_merge(const std::string& source,
                size_t number,
                std::string_view left,
                std::string_view right,
                std::string_view missing) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("merge {} ('{}' '{}') needs '{}', which is not in the vocabulary",
                           number,
                           left,
                           right,
                           missing),
               source,
               "the vocabulary and the merges do not belong together"};
}

// A min-heap by rank, then by place.
bool comes_later(const SubwordScratch::Candidate& a, const SubwordScratch::Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
}

}  // namespace

BpeModel::BpeModel(Vocabulary vocabulary,
                   const BpeMerges& merges,
                   BpeOptions options,
                   const std::string& merges_source)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)), merges_(merges.size()) {
  for (size_t i = 0; i < merges.size(); ++i) {
    const auto& [left, right] = merges[i];
    bool has_prefix = right.starts_with(options_.inside_prefix);
    const std::string merged =
        left + (has_prefix ? right.substr(options_.inside_prefix.size()) : right);
    TokenId a = vocabulary_.find(left);
    TokenId b = vocabulary_.find(right);
    TokenId c = vocabulary_.find(merged);
    for (auto [id, token] : {std::pair{a, &left}, std::pair{b, &right}, std::pair{c, &merged}})
      if (id == Vocabulary::kAbsent) throw bad_merge(merges_source, i + 1, left, right, *token);
    merges_.set(a, b, {static_cast<uint32_t>(i), c});
  }
  if (options_.unk_token) unk_ = vocabulary_.require(*options_.unk_token, "the unknown token");
  for (unsigned byte = 0; byte < 256; ++byte)
    fallback_[byte] = vocabulary_.find(fmt::format("<0x{:02X}>", byte));
  if (options_.is_byte_level) {
    spell_bytes();
    fill_cache();
  }
}

void BpeModel::spell_bytes() {
  std::array<char32_t, 256> letters = letters_of_bytes();
  for (size_t byte = 0; byte < 256; ++byte) {
    std::string letter;
    append_utf8(letter, letters[byte]);
    for (size_t place = 0; place < 4; ++place) {
      bool is_first = (place & 1) != 0;
      bool is_last = (place & 2) != 0;
      byte_symbols_[place][byte] = vocabulary_.find((is_first ? "" : options_.inside_prefix) +
                                                    letter + (is_last ? options_.word_end : ""));
    }
  }
}

void BpeModel::fill_cache() {
  // Gives way to no vocabulary file: a word that is a token is not always what merging gives.
  std::vector<std::pair<WordCache::Key, TokenId>> words;
  SubwordScratch scratch;
  std::vector<TokenId> tokens;
  for (size_t i = 0; i < vocabulary_.size(); ++i) {
    std::string_view token = vocabulary_.token(i);
    if (!token.ends_with(options_.word_end)) continue;
    token.remove_suffix(options_.word_end.size());
    std::optional<std::string> word = as_bytes(token);
    if (!word || word->empty() || word->size() > WordCache::kMostBytes) continue;
    tokens.clear();
    encode_uncached(*word, scratch, tokens);
    if (tokens.size() == 1) words.emplace_back(WordCache::key_of(*word), tokens.front());
  }
  cache_ = WordCache(words.size());
  for (const auto& [key, id] : words) cache_.set(key, id);
}

void BpeModel::encode(std::string_view word,
                      SubwordScratch& scratch,
                      std::vector<TokenId>& out) const {
  if (options_.is_byte_level && word.size() <= WordCache::kMostBytes) {
    TokenId id = cache_.find(WordCache::key_of(word));
    if (id != Vocabulary::kAbsent) {
      out.push_back(id);
      return;
    }
  }
  encode_uncached(word, scratch, out);
}

void BpeModel::encode_uncached(std::string_view word,
                               SubwordScratch& scratch,
                               std::vector<TokenId>& out) const {
  if (word.empty()) return;
  if (options_.ignores_merges) {
    TokenId id = vocabulary_.find(options_.is_byte_level ? as_letters(word) : std::string(word));
    if (id != Vocabulary::kAbsent) {
      out.push_back(id);
      return;
    }
  }
  scratch.symbols.clear();
  add_symbols(word, scratch);
  if (scratch.symbols.size() <= kShortWord) {
    merge_short(scratch);
  } else {
    merge_long(scratch);
  }
  out.insert(out.end(), scratch.symbols.begin(), scratch.symbols.end());
}

void BpeModel::add_symbols(std::string_view word, SubwordScratch& scratch) const {
  std::vector<TokenId>& symbols = scratch.symbols;
  TokenId pending = Vocabulary::kAbsent;  // an unknown token that waits for its neighbours
  for (size_t at = 0; at < word.size();) {
    size_t size = options_.is_byte_level ? 1 : decode_at(word, at).size;
    bool is_first = at == 0;
    bool is_last = at + size == word.size();
    TokenId id = Vocabulary::kAbsent;
    if (options_.is_byte_level) {
      id = byte_symbols_[size_t{is_first} + 2 * size_t{is_last}]
                        [static_cast<unsigned char>(word[at])];
    } else {
      scratch.spelling.assign(is_first ? "" : options_.inside_prefix);
      scratch.spelling.append(word.substr(at, size)).append(is_last ? options_.word_end : "");
      id = vocabulary_.find(scratch.spelling);
    }
    at += size;
    if (id != Vocabulary::kAbsent) {
      if (pending != Vocabulary::kAbsent) symbols.push_back(pending);
      pending = Vocabulary::kAbsent;
      symbols.push_back(id);
    } else if (!add_fallback(scratch.spelling, symbols) && unk_ != Vocabulary::kAbsent) {
      if (pending != Vocabulary::kAbsent && !options_.fuses_unk) symbols.push_back(pending);
      pending = unk_;
    }
  }
  if (pending != Vocabulary::kAbsent) symbols.push_back(pending);
}

bool BpeModel::add_fallback(std::string_view symbol, std::vector<TokenId>& symbols) const {
  if (!options_.has_byte_fallback || options_.is_byte_level) return false;
  auto token_of = [&](char byte) { return fallback_[static_cast<unsigned char>(byte)]; };
  bool has_all = std::all_of(symbol.begin(), symbol.end(), [&](char byte) {
    return token_of(byte) != Vocabulary::kAbsent;
  });
  if (!has_all) return false;
  for (char byte : symbol) symbols.push_back(token_of(byte));
  return true;
}

void BpeModel::merge_short(SubwordScratch& scratch) const {
  std::array<uint32_t, kShortWord> ranks;
  std::array<TokenId, kShortWord> merged;
  TokenId* symbols = scratch.symbols.data();
  size_t count = scratch.symbols.size();
  auto look_up = [&](size_t i) {
    MergeTable::Merge merge = merges_.find(symbols[i], symbols[i + 1]);
    ranks[i] = merge.rank;
    merged[i] = merge.merged;
  };
  for (size_t i = 0; i + 1 < count; ++i) look_up(i);
  while (count > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < count; ++i)
      if (ranks[i] < ranks[best]) best = i;
    if (ranks[best] == MergeTable::kNoRank) break;
    symbols[best] = merged[best];
    --count;
    for (size_t i = best + 1; i < count; ++i) symbols[i] = symbols[i + 1];
    for (size_t i = best + 1; i + 1 < count; ++i) {
      ranks[i] = ranks[i + 1];
      merged[i] = merged[i + 1];
    }
    if (best + 1 < count) look_up(best);
    if (best > 0) look_up(best - 1);
  }
  scratch.symbols.resize(count);
}

void BpeModel::merge_long(SubwordScratch& scratch) const {
  std::vector<TokenId>& symbols = scratch.symbols;
  auto count = static_cast<int32_t>(symbols.size());
  auto& links = scratch.links;
  auto& heap = scratch.heap;
  links.resize(symbols.size());
  heap.clear();
  auto offer = [&](int32_t at) {
    int32_t next = at < 0 ? count : links[static_cast<size_t>(at)].next;
    if (next >= count) return;
    MergeTable::Merge merge =
        merges_.find(symbols[static_cast<size_t>(at)], symbols[static_cast<size_t>(next)]);
    if (merge.rank == MergeTable::kNoRank) return;
    heap.push_back({merge.rank, at, merge.merged});
    std::push_heap(heap.begin(), heap.end(), comes_later);
  };
  for (int32_t i = 0; i < count; ++i) links[static_cast<size_t>(i)] = {i - 1, i + 1};
  for (int32_t i = 0; i < count; ++i) offer(i);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), comes_later);
    SubwordScratch::Candidate top = heap.back();
    heap.pop_back();
    auto at = static_cast<size_t>(top.at);
    // Gone, or changed since it was offered.
    if (symbols[at] == Vocabulary::kAbsent || links[at].next >= count) continue;
    auto next = static_cast<size_t>(links[at].next);
    if (merges_.find(symbols[at], symbols[next]).merged != top.merged) continue;
    symbols[at] = top.merged;
    symbols[next] = Vocabulary::kAbsent;
    links[at].next = links[next].next;
    if (links[at].next < count) links[static_cast<size_t>(links[at].next)].previous = top.at;
    offer(links[at].previous);
    offer(top.at);
  }
  std::erase(symbols, Vocabulary::kAbsent);
}

}  // namespace snellen::text
