// SPDX-License-Identifier: Apache-2.0
// VADER, Hutto & Gilbert 2014: rule-based sentiment of a short text. Agrees digit for digit with
// the vaderSentiment package (docs/spec/bias.md 5). The lexicon and the emoji table are the user's
// files; none is in this program.
#pragma once

#include <filesystem>
#include <string_view>

#include "snellen/text/vader/vader_tokens.h"
#include "snellen/text/vader/vader_words.h"

namespace snellen::text {

// Rounded as the reference prints them: 3 decimals, compound 4. All 0 for a text without tokens.
struct Sentiment {
  double neg = 0;       // share of negative mass, 0..1
  double neu = 0;       // share of tokens without valence
  double pos = 0;       // share of positive mass
  double compound = 0;  // -1..1; usual classes: >= 0.05 positive, <= -0.05 negative
};

// kReference: "but" rescales the first token whose value equals the current one, as the published
// code does. kFixed: it rescales the current token.
enum class VaderVariant { kReference, kFixed };

// Const methods are safe from many threads.
class Vader {
 public:
  Vader(VaderWords words, EmojiTable emoji, VaderVariant variant = VaderVariant::kReference);

  // Reads vader_lexicon.txt and, unless its path is empty, emoji_utf8_lexicon.txt. Throws kNotFound
  // or kInvalidInput.
  static Vader from_files(const std::filesystem::path& lexicon,
                          const std::filesystem::path& emoji,
                          VaderVariant variant = VaderVariant::kReference);

  // UTF-8; cost and memory grow with the length (n log n where "but" occurs in a long text).
  Sentiment score(std::string_view text) const;

 private:
  VaderWords words_;
  EmojiTable emoji_;
  VaderVariant variant_;
};

}  // namespace snellen::text
