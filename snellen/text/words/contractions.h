// SPDX-License-Identifier: Apache-2.0
// The contractions and clitics that Treebank tokens split ("can|not", "'t|is", "do|n't") and join
// again.
#pragma once

#include <cstddef>
#include <string_view>

#include "snellen/text/words/rewriter.h"
#include "snellen/text/words/treebank.h"

namespace snellen::text {

// can|not, d|'ye, gim|me, gon|na, got|ta, lem|me, mor|'n, wan|na at word boundaries, ignoring case.
void split_contractions(Rewriter& rewriter, Treebank version);
void join_contractions(Rewriter& rewriter, Treebank version);
// 't|is and 't|was after a space; joining drops that space.
void split_tis(Rewriter& rewriter);
void join_tis(Rewriter& rewriter);

// Bytes of the clitic at `at` that a space follows, 0 when there is none: 's 'm 'd and a bare
// apostrophe.
size_t short_clitic(std::string_view text, size_t at);
// The same for 'll 're 've n't.
size_t long_clitic(std::string_view text, size_t at);

}  // namespace snellen::text
