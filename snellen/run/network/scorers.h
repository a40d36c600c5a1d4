// SPDX-License-Identifier: Apache-2.0
// The kinds of scorers, for make_scorer() alone.
#pragma once

#include <memory>

#include "snellen/run/network/scorer.h"

namespace snellen::run {

std::unique_ptr<Scorer> make_dual_scorer(const NetworkParts& parts);
// Picture and text together: the picture is seen once, every text asked with it follows.
std::unique_ptr<Scorer> make_pair_scorer(const NetworkParts& parts);
// Mean log probability of a text, alone or after a picture: higher is likelier.
std::unique_ptr<Scorer> make_likelihood_scorer(const NetworkParts& parts);
std::unique_ptr<Scorer> make_seen_likelihood_scorer(const NetworkParts& parts);
// -log of the perplexity (spec/vilma.md 5.4), from what a language model says of each token.
double log_likelihood(std::span<const double> log_probabilities, bool is_compat);

std::unique_ptr<Scorer> make_video_scorer(const NetworkParts& parts);

}  // namespace snellen::run
