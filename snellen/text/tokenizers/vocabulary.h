// SPDX-License-Identifier: Apache-2.0
// Tokens and their ids, both ways. Built once, then const and safe from many threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/string_table.h"

namespace snellen::text {

using TokenId = int32_t;

class Vocabulary {
 public:
  static constexpr TokenId kAbsent = StringTable::kAbsent;
  // Far above any published vocabulary (Gemma: 256,000); ids are checked before tables are sized.
  static constexpr int64_t kMostIds = 1 << 22;

  // `source` names the file in errors.
  explicit Vocabulary(std::string source) : source_(std::move(source)) {}

  // Throws kInvalidInput for an id out of range, an id that is taken, or a token that is there with
  // another id.
  void add(std::string_view token, int64_t id);
  // As add, but a token that is there takes the new id: lines of a vocab.txt, where the last wins.
  void add_or_move(std::string_view token, int64_t id);

  TokenId find(std::string_view token) const { return ids_.find(token); }
  // Throws kInvalidInput naming the file and `what` when it is not there.
  TokenId require(std::string_view token, std::string_view what) const;
  // The token of an id, empty when there is none.
  std::string_view piece(TokenId id) const;

  size_t size() const { return ids_.size(); }
  // One past the highest id.
  size_t end_id() const { return pieces_.size(); }
  size_t longest_token() const { return ids_.longest_key(); }
  const std::string& source() const { return source_; }
  std::string_view token(size_t index) const { return ids_.key(index); }
  TokenId id(size_t index) const { return ids_.value(index); }

 private:
  void place(std::string_view token, int64_t id);

  std::string source_;
  StringTable ids_;
  std::vector<uint32_t> pieces_;  // by id: index + 1 of its token, 0 when none
};

}  // namespace snellen::text
