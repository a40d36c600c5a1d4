// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::metrics {

// The two ways the published aggregates are rounded to four decimals (docs/spec/probe.md 3.7). They
// differ on 0.12345.

// Rule A, all means and Probe-C accuracy: rint(x * 10000) / 10000, half to even on the scaled
// double.
double round_mean(double x);

// Rule B, Probe-R accuracy: the correctly rounded decimal of the exact binary value.
double round_probe_r_accuracy(double x);

}  // namespace snellen::metrics
