// SPDX-License-Identifier: Apache-2.0
// The parts of GRUEN, a measure of how well a text is written, that need no language model of their
// own (docs/spec/vilma.md 7.8). `snellen gruen` calls them with what language models say.
#pragma once

#include <span>
#include <string>

namespace snellen::metrics {

// From the perplexity of a masked language model and the acceptability logit of a classifier, both
// averaged over sentences: max(0, (exp(-ppl / 2) + cola) / 8 + 0.5). Not bounded above.
double gruen_grammaticality(double lm_perplexity, double cola_logit);

struct GruenRedundancy {
  int flags = 0;     // over all pairs of sentences
  double score = 0;  // -0.1 each
};

// Pairs that say nearly the same: four flags when one is equal to or contained in the other; else,
// where the longer one has five words or more, one flag each for a long common substring in
// characters, in words, a small edit distance, and many common words. Sentences are UTF-8; texts
// are compared by code points. Time grows with the square of the number of sentences and of their
// lengths: refuses more than 10,000 characters a sentence (kInvalidInput).
GruenRedundancy gruen_redundancy(std::span<const std::string> sentences);

}  // namespace snellen::metrics
