// SPDX-License-Identifier: Apache-2.0
// What a model folder says about its tokenizer beside the vocabulary: tokenizer_config.json, with
// special_tokens_map.json and added_tokens.json, its older places.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/text/tokenizers/added_tokens.h"

namespace snellen::text {

enum class SpecialToken { kBos, kEos, kUnk, kSep, kPad, kCls, kMask };
inline constexpr size_t kNumSpecialTokens = 7;

struct TokenizerConfig {
  std::string tokenizer_class;  // without "Fast"
  std::string model_type;       // of config.json
  // By SpecialToken; the ids in them are not set.
  std::array<std::optional<AddedToken>, kNumSpecialTokens> special;
  std::vector<AddedToken> extra_special;  // the ids in them are not set
  std::vector<AddedToken> added;          // with their ids, in their order
  std::optional<bool> do_lower_case;
  std::optional<bool> strip_accents;
  std::optional<bool> tokenize_chinese_chars;
  std::optional<bool> add_prefix_space;
  std::optional<bool> add_bos_token;
  std::optional<bool> add_eos_token;
  size_t model_max_length = 0;  // 0 when not named, or named as absurdly large

  const std::optional<AddedToken>& token(SpecialToken which) const {
    return special[static_cast<size_t>(which)];
  }
  // The content of a special token, or `otherwise`.
  std::string content(SpecialToken which, std::string_view otherwise) const;
};

// Every file may be absent. Throws kInvalidInput naming the file.
// `opened` gets those that are there.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder,
                                      std::vector<std::filesystem::path>* opened = nullptr);

}  // namespace snellen::text
