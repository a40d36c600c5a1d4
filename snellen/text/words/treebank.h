// SPDX-License-Identifier: Apache-2.0
// Penn Treebank tokens and back, exactly as two releases of the published toolkit do it. The round
// trip is not the identity, and the differences reach the scores: published VisDial numbers were
// made with the older release. Every rule is a linear scan; nothing here backtracks. All functions
// are pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

enum class Treebank {
  kNltk34,  // the release the published numbers were made with, oddities kept
  kModern,  // release 3.8
};

// The tokens of one sentence.
std::vector<std::string> treebank_tokens(std::string_view sentence, Treebank version);

// Split into sentences, into tokens, and joined: what happens to a generated answer before it is
// scored. A blank text gives the empty one.
std::string treebank_round_trip(std::string_view text, Treebank version);

// How generated answers are prepared (references never are).
enum class Preprocess { kNltk34, kModern, kNone };
// "nltk34", "modern", "none"; throws kUsage naming them for anything else.
Preprocess preprocess_of(std::string_view name);
std::string_view name_of(Preprocess preprocess);
// kNone keeps the text, except that a blank one becomes empty.
std::string prepare_generation(std::string_view text, Preprocess preprocess);

}  // namespace snellen::text
