// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/student.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/stats/interval.h"

namespace snellen::stats {
namespace {

TEST(Student, QuantilesAreThoseOfScipy) {
  struct Case {
    double tail;
    double degrees_of_freedom;
    double t;
  };
  for (const Case& one : {Case{0.025, 9, 2.2621571627982053},
                          {0.025, 1, 12.706204736174705},
                          {0.005, 3.7, 4.869252253227829},
                          {0.025, 1e5, 1.95998770753461},
                          {1e-06, 40, 5.553969751815039},
                          {0.1, 250.5, 1.2849402597357713}}) {
    EXPECT_NEAR(student_upper_quantile(one.tail, one.degrees_of_freedom) / one.t, 1.0, 1e-12);
  }
}

TEST(Student, TailsAreThoseOfScipy) {
  struct Case {
    double t;
    double degrees_of_freedom;
    double p;
  };
  for (const Case& one : {Case{2.0, 10, 0.07338803477074037},
                          {0.1, 3.3, 0.9261150032466513},
                          {12.0, 2.0, 0.00687293367715846},
                          {5.0, 1000.0, 6.767256364648635e-07},
                          {1.0, 1e6, 0.3173107498335783},
                          {40.0, 30.0, 1.3726045194406417e-27}}) {
    EXPECT_NEAR(student_two_sided_p(one.t, one.degrees_of_freedom) / one.p, 1.0, 1e-12);
    EXPECT_EQ(student_two_sided_p(-one.t, one.degrees_of_freedom),
              student_two_sided_p(one.t, one.degrees_of_freedom));
  }
  EXPECT_EQ(student_two_sided_p(0.0, 5.0), 1.0);
}

TEST(Student, IsNormalInTheLimit) {
  EXPECT_EQ(student_upper_quantile(0.025, 1e9), -normal_quantile(0.025));
  EXPECT_NEAR(student_upper_quantile(0.025, 9.9e6), -normal_quantile(0.025), 1e-6);
}

}  // namespace
}  // namespace snellen::stats
