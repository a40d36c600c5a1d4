// SPDX-License-Identifier: Apache-2.0
// Binomial probabilities to nearly full precision for any n; what exact intervals and tests stand
// on.
#pragma once

#include <cstdint>

namespace snellen::stats {

// P(X == k) for X ~ Bin(n, p), 0 for k > n. Needs 0 <= p <= 1.
double binomial_pmf(uint64_t k, uint64_t n, double p);
// P(X <= k). Below one half it keeps its relative precision; cost about sqrt(n).
double binomial_lower_tail(uint64_t k, uint64_t n, double p);

}  // namespace snellen::stats
