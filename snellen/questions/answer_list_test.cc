// SPDX-License-Identifier: Apache-2.0
#include "snellen/questions/answer_list.h"

#include <gtest/gtest.h>

namespace snellen::questions {
namespace {

using Texts = std::vector<std::string>;

TEST(AnswerList, GivesItsTextsBackAsTheyWere) {
  for (const Texts& texts : {Texts{"yes"}, Texts{" 2. no\n", "- maybe", "", "yes "}, Texts{""}})
    EXPECT_EQ(texts_of_list(answer_list(texts)), texts);
}

TEST(AnswerList, IsNoneOfAPlainAnswer) {
  EXPECT_FALSE(texts_of_list(""));
  EXPECT_FALSE(texts_of_list("yes\nno"));
  EXPECT_FALSE(texts_of_list(answer_list({})));
}

}  // namespace
}  // namespace snellen::questions
