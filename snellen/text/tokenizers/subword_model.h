// SPDX-License-Identifier: Apache-2.0
// The last step of tokenisation: one word in, its tokens out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/vocabulary.h"

namespace snellen::text {

// Room for one encoding at a time; a thread keeps one and hands it to every call.
struct SubwordScratch {
  struct Link {
    int32_t previous;
    int32_t next;
  };
  struct Candidate {
    uint32_t rank;
    int32_t at;
    TokenId merged;
  };
  std::vector<TokenId> symbols;
  std::vector<Link> links;
  std::vector<Candidate> heap;
  std::string spelling;
};

class SubwordModel {
 public:
  virtual ~SubwordModel() = default;

  // Appends the tokens of `word`. Const and safe from many threads, each with its own scratch.
  virtual void encode(std::string_view word,
                      SubwordScratch& scratch,
                      std::vector<TokenId>& out) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
};

}  // namespace snellen::text
