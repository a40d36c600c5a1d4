// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_b/cooccurrence/task.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::tasks::probe_b_cooccurrence {
namespace {

annotations::ClassTable table() {
  return annotations::ClassTable({{"dog", "d"}, {"apple", "a"}, {"cat", "c"}, {"car", "r"}});
}

TEST(Cooccurrence, ChoosesAmongAllButTheOthersAndTheDropped) {
  Result<GroupClasses> classes = classes_of("cat", {"dog", "apple"}, table(), {});
  ASSERT_TRUE(classes);
  EXPECT_EQ(classes->choices, (std::vector<size_t>{2, 3}));
  EXPECT_EQ(classes->others, (std::vector<size_t>{0}));
  EXPECT_EQ(classes->all, (std::vector<size_t>{0, 2, 3}));
}

TEST(Cooccurrence, RefusesAnObjectThatIsUnknownOrAmongItsOthers) {
  EXPECT_FALSE(classes_of("unicorn", {}, table(), {}));
  EXPECT_FALSE(classes_of("cat", {"cat"}, table(), {}));
  EXPECT_FALSE(classes_of("apple", {}, table(), {}));
}

TEST(Cooccurrence, GivesConfidenceChangeAndLeavesAZeroRatioUndefined) {
  GroupClasses classes = *classes_of("cat", {}, table(), {});
  probe_b::Logits logits = {{{0, 9, 0, 0}, {0, 9, -2000, 0}, {0, 9, 1, 0}}};
  Outcome outcome = judge_group(logits, classes, {});
  EXPECT_DOUBLE_EQ(outcome.values[4], 1.0 / 3);  // gt: three equal choices, apple left out
  EXPECT_EQ(outcome.values[1], 0);               // the first maximum is dog
  EXPECT_TRUE((outcome.tied_columns & 2U) != 0);
  EXPECT_TRUE(std::isnan(outcome.values[12]));  // patch -> mod: the patch confidence is 0
}

TEST(Cooccurrence, ComparesTheSimilaritiesOfEquation8WhereAskedTo) {
  GroupClasses classes = *classes_of("cat", {}, table(), {});
  probe_b::Logits logits = {{{0, 9, 4, 0}, {0, 9, 2, 0}, {0, 9, 1, 0}}};
  Outcome outcome = judge_group(logits, classes, {.robustness = probe_b::Robustness::kSimilarity});
  EXPECT_DOUBLE_EQ(outcome.values[kGtModChange], 3);
  EXPECT_DOUBLE_EQ(outcome.values[kGtModRelative], 0.25);
  EXPECT_EQ(columns({}, probe_b::Robustness::kSimilarity)[kGtModRelative].name,
            "gt_mod/rel_robustness_similarity");
}

}  // namespace
}  // namespace snellen::tasks::probe_b_cooccurrence
