// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/text/words/treebank.h"

namespace snellen::text {

// The way back from tokens to text, on tokens joined by single spaces. Tokens hold no white space,
// so here white space is always one plain space.
std::string treebank_join_text(std::string spaced, Treebank version);

}  // namespace snellen::text
