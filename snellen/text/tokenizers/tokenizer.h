// SPDX-License-Identifier: Apache-2.0
// Text to token ids. One interface for every published tokenizer; load_tokenizer.h opens one from a
// model folder. Any bytes are text: ill-formed UTF-8 is read as Python's decode('utf-8', 'replace')
// reads it. All const methods are safe from many threads and give the same ids from each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/added_tokens.h"
#include "snellen/text/tokenizers/subword_model.h"

namespace snellen::text {

struct EncodeOptions {
  size_t max_length = 0;  // most ids, special tokens included; 0 is no limit
  bool adds_special_tokens = true;
};

struct Encoding {
  std::vector<TokenId> ids;
  size_t num_dropped = 0;  // tokens of the text that were cut off, on the right
};

// Ids put around the tokens of a text.
struct TokenFrame {
  std::vector<TokenId> prefix;
  std::vector<TokenId> suffix;
  // SigLIP: no closing token behind a text that already ends with it.
  bool skips_closed_suffix = false;
};

struct TokenizerFacts {
  std::string kind;  // "clip", "wordpiece", ...: for people
  std::optional<TokenId> pad_id;
  std::optional<TokenId> bos_id;
  std::optional<TokenId> eos_id;
  std::optional<TokenId> unk_id;
  size_t model_max_length = 0;  // 0 when the folder names none
};

// Room for one encoding at a time. A thread that keeps one spares the allocations of every call.
struct TokenizerScratch {
  SubwordScratch subwords;
  std::string well_formed;
  std::string storage;
  std::vector<AddedTokens::Piece> pieces;
  std::vector<AddedTokens::Piece> inner_pieces;
  std::vector<std::string_view> words;
};

class Tokenizer {
 public:
  Tokenizer(TokenizerFacts facts, TokenFrame frame)
      : facts_(std::move(facts)), frame_(std::move(frame)) {}
  virtual ~Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // Throws kUsage when max_length has no room for the special tokens.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  // Appends the ids to `out`; gives the number of dropped tokens.
  size_t encode_into(std::string_view text,
                     const EncodeOptions& options,
                     TokenizerScratch& scratch,
                     std::vector<TokenId>& out) const;

  // How the vocabulary writes an id; empty for an id that is in none.
  virtual std::string_view piece(TokenId id) const = 0;
  // One past the highest id.
  virtual size_t end_id() const = 0;
  const TokenizerFacts& facts() const { return facts_; }
  const TokenFrame& frame() const { return frame_; }

 protected:
  // Appends the tokens of a well-formed text, without the frame.
  virtual void append_tokens(std::string_view text,
                             TokenizerScratch& scratch,
                             std::vector<TokenId>& out) const = 0;

 private:
  TokenizerFacts facts_;
  TokenFrame frame_;
};

}  // namespace snellen::text
