// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/sentences.h"

#include <gmock/gmock.h>

namespace snellen::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Sentences, AreCutAfterEndMarksAndClosers) {
  EXPECT_THAT(split_sentences("no. i see"), ElementsAre("no.", "i see"));
  EXPECT_THAT(split_sentences("really?! (yes.) \"ok.\" fine"),
              ElementsAre("really?!", "(yes.)", "\"ok.\"", "fine"));
}

TEST(Sentences, AreNotCutAfterAbbreviationsInitialsAndInnerPeriods) {
  EXPECT_THAT(split_sentences("Mr. Smith, J. Doe, the u.s. flag vs. (prof. X)"),
              testing::SizeIs(1));
  EXPECT_THAT(split_sentences("No. 5 bus"), ElementsAre("No.", "5 bus"));
}

TEST(Sentences, AreCutAfterAnEllipsisOnlyBeforeACapital) {
  EXPECT_THAT(split_sentences("wait... what"), ElementsAre("wait... what"));
  EXPECT_THAT(split_sentences("wait... What"), ElementsAre("wait...", "What"));
  EXPECT_THAT(split_sentences("wait.. 2 dogs"), ElementsAre("wait..", "2 dogs"));
}

TEST(Sentences, KeepOuterWhiteSpace) {
  EXPECT_THAT(split_sentences("  yes.  "), ElementsAre("  yes.  "));
  EXPECT_THAT(split_sentences(""), IsEmpty());
  EXPECT_THAT(split_sentences("1.5 m"), ElementsAre("1.5 m"));
}

}  // namespace
}  // namespace snellen::text
