// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser_presented.h"

#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

const std::vector<std::string>& yes_no() {
  static const std::vector<std::string> options = {"Yes", "No", "Unknown"};
  return options;
}

PresentedAnswer parse(std::string_view response, const std::vector<size_t>& presented) {
  return parse_presented(
      AnswerRule::kDefault, response, {.texts = yes_no(), .unknown = 2}, presented);
}

TEST(PresentedAnswer, ALetterNamesWhatStoodAtItsPlace) {
  EXPECT_EQ(parse("A", {2, 0, 1}).parsed.index, 2u);
  EXPECT_EQ(parse("A", {2, 0, 1}).position, 0u);
  EXPECT_EQ(parse("B", {}).parsed.index, 1u);
}

TEST(PresentedAnswer, ATextNamesItsOptionWhereverItStood) {
  EXPECT_EQ(parse("Cannot be determined", {2, 0, 1}).parsed.index, 2u);
  EXPECT_EQ(parse("yes", {1, 0}).parsed.index, 0u);
  EXPECT_EQ(parse("C", {1, 0}).parsed.status, AnswerStatus::kUnparsable);
}

TEST(PresentedAnswer, RefusesAnOrderThatIsNone) {
  EXPECT_THROW(parse("A", {0, 0}), Error);
  EXPECT_THROW(parse("A", {3}), Error);
}

}  // namespace
}  // namespace snellen::text
