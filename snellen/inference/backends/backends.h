// SPDX-License-Identifier: Apache-2.0
// The kinds of scorers, for make_backend() alone.
#pragma once

#include <memory>

#include "snellen/inference/backend.h"

namespace snellen::inference {

std::unique_ptr<Backend> make_dual_backend(const NetworkParts& parts);
// Picture and text together: the picture is seen once, every text asked with it follows.
std::unique_ptr<Backend> make_pair_backend(const NetworkParts& parts);
// Mean log probability of a text, alone or after a picture: higher is likelier.
std::unique_ptr<Backend> make_likelihood_backend(const NetworkParts& parts);
std::unique_ptr<Backend> make_shown_likelihood_backend(const NetworkParts& parts);
// -log of the perplexity (spec/vilma.md 5.4), from what a language model says of each token.
double log_likelihood(std::span<const double> log_probabilities, bool is_compat);

std::unique_ptr<Backend> make_video_backend(const NetworkParts& parts);

}  // namespace snellen::inference
