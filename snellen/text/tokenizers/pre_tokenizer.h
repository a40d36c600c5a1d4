// SPDX-License-Identifier: Apache-2.0
// The second step of tokenisation: text in, words out, by the published pre-tokenizers.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "snellen/text/tokenizers/split_pattern.h"

namespace snellen::text {

enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext };

struct BertSplit {};        // white space removed, punctuation set apart
struct WhitespaceSplit {};  // white space removed
struct Split {
  std::variant<SplitPattern, std::string> pattern;  // a string is not empty
  SplitBehavior behavior = SplitBehavior::kIsolated;
  bool invert = false;  // what lies between matches is the match
};
// The words of a byte-level model; must be the last step, since models take words as bytes.
struct ByteLevel {
  bool add_prefix_space = false;
  bool use_regex = true;
};

using PreTokenizerStep = std::variant<BertSplit, WhitespaceSplit, Split, ByteLevel>;

class PreTokenizer {
 public:
  PreTokenizer() = default;
  // ByteLevel only as the last step.
  explicit PreTokenizer(std::vector<PreTokenizerStep> steps);

  const std::vector<PreTokenizerStep>& steps() const { return steps_; }
  bool is_byte_level() const;
  // Puts the words of `text` into `words`; they point into `text` or into `storage`, which must not
  // change while they are used. Const and safe from many threads.
  void split(std::string_view text,
             std::vector<std::string_view>& words,
             std::string& storage) const;

 private:
  std::vector<PreTokenizerStep> steps_;
};

}  // namespace snellen::text
