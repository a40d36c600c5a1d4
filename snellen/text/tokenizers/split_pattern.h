// SPDX-License-Identifier: Apache-2.0
// The regular expressions of published pre-tokenizers, as hand-written scanners: there are few, and
// no kept library has their semantics at this speed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace snellen::text {

enum class SplitPattern {
  kClip,           // 's|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+
  kOpenClip,       // the same with the classes of Python's `regex`
  kClipWithMarks,  // the same behind <|startoftext|>|<|endoftext|>
  kGpt2,           // 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
};

// The pattern of a regular expression as tokenizer.json writes it; nothing for any other.
std::optional<SplitPattern> split_pattern_of(std::string_view regex);

// Bytes of the match that starts at `at`, 0 when none does. `at` must be inside the text.
size_t match_at(SplitPattern pattern, std::string_view text, size_t at);

// Bytes of 's 't 're 've 'm 'll 'd at `at`, 0 for anything else.
size_t contraction_at(std::string_view text, size_t at);

}  // namespace snellen::text
