// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/visdial_gen/asked_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/questions/answer_list.h"
#include "snellen/testing/small_dialogs.h"

namespace snellen::tasks::visdial_gen {
namespace {

namespace fs = std::filesystem;
using annotations::DialogKey;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

TEST(AnswersIn, TakesTheReplyOrItsLines) {
  EXPECT_THAT(answers_in(" yes,\n it is \n", 1), ElementsAre("yes, it is"));
  EXPECT_THAT(answers_in("1. yes\n2) no\n- maybe\n\n3 dogs\n", 5),
              ElementsAre("yes", "no", "maybe", "3 dogs"));
  EXPECT_THAT(answers_in("a\nb\nc", 2), ElementsAre("a", "b"));
  EXPECT_TRUE(answers_in(" \n", 1).empty());
}

TEST(AnswersIn, LeavesAListAsItIs) {
  const std::vector<std::string> given = {"2. no", " yes ", "", "- big"};
  EXPECT_EQ(answers_in(questions::answer_list(given), 4), given);
  EXPECT_THAT(answers_in(questions::answer_list(std::span(given).subspan(3)), 1),
              ElementsAre("- big"));
}

TEST(AskedRounds, TellsTheDialogAndEndsWithTheQuestion) {
  const fs::path file = fs::path(testing::TempDir()) / "snellen_asked_rounds.json";
  write_small_dialogs(file);
  const std::vector<DialogKey> keys = {{.image_id = 8, .round_id = 1}};
  const AskedRounds rounds(file, keys, 3);
  EXPECT_THAT(rounds.prompt(0), EndsWith("\nwhat color is it?"));
  EXPECT_THAT(rounds.prompt(0), HasSubstr("3 different answers"));
  EXPECT_THAT(rounds.prompt(0), HasSubstr("\nQuestion: "));
  EXPECT_EQ(rounds.image_name(0), "VisualDialog_val2018_000000000008.jpg");
  const std::vector<DialogKey> absent = {{.image_id = 8, .round_id = 9}};
  EXPECT_THROW(AskedRounds(file, absent, 1), Error);
  fs::remove(file);
}

}  // namespace
}  // namespace snellen::tasks::visdial_gen
