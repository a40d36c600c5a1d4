// SPDX-License-Identifier: Apache-2.0
// Binomial probabilities to nearly full precision for any n; what exact intervals and tests stand
// on.
#pragma once

#include <cstdint>

namespace snellen::stats {

// P(X == k) for X ~ Bin(n, p), 0 for k > n. Needs 0 <= p <= 1.
double binomial_pmf(uint64_t k, uint64_t n, double p);
// P(X <= k) and P(X >= k). A tail below one half keeps its relative precision; cost about sqrt(n).
double binomial_lower_tail(uint64_t k, uint64_t n, double p);
double binomial_upper_tail(uint64_t k, uint64_t n, double p);

// The p at which the tail has this probability, 0 < tail < 1: P(X <= k) for k < n, P(X >= k) for 0
// < k <= n.
double share_of_lower_tail(uint64_t k, uint64_t n, double tail);
double share_of_upper_tail(uint64_t k, uint64_t n, double tail);

}  // namespace snellen::stats
