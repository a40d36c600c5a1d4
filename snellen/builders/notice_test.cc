// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/notice.h"

#include <gmock/gmock.h>

namespace snellen::builders {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Notice, NamesEverySourceWithItsLicenceAndTheChange) {
  const std::string relcomp = notice_of("relcomp");
  EXPECT_THAT(relcomp, HasSubstr("Visual Genome"));
  EXPECT_THAT(relcomp, HasSubstr("COCO"));
  EXPECT_THAT(relcomp, HasSubstr("creativecommons.org/licenses/by/4.0"));
  EXPECT_THAT(relcomp, HasSubstr("Changes:"));
  EXPECT_THAT(notice_of("probe-r"), Not(HasSubstr("COCO")));
}

}  // namespace
}  // namespace snellen::builders
