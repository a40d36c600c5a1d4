// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "snellen/text/meteor/lexicon.h"

namespace snellen::text::meteor {

// The files of a WordNet folder (index.* and *.exc, Debian's wordnet-base layout) that the tables
// are made from.
std::vector<std::filesystem::path> wordnet_files(const std::filesystem::path& folder);

// METEOR's tables made from WordNet. Synset ids carry their part of speech, so that equal offsets
// in two files do not make false synonyms (METEOR's own file has 296 of them). Throws kNotFound or
// kInvalidInput.
LexiconTexts lexicon_from_wordnet(const std::filesystem::path& folder);

}  // namespace snellen::text::meteor
