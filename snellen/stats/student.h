// SPDX-License-Identifier: Apache-2.0
// Student's t distribution with any number of degrees of freedom, not only whole ones.
#pragma once

namespace snellen::stats {

// P(|T| >= |t|). Needs degrees_of_freedom > 0; from 10 million on the normal distribution is taken.
double student_two_sided_p(double t, double degrees_of_freedom);

// The t > 0 with P(T >= t) == tail, 0 < tail < 0.5: 2.262 for 0.025 and 9 degrees of freedom.
double student_upper_quantile(double tail, double degrees_of_freedom);

}  // namespace snellen::stats
