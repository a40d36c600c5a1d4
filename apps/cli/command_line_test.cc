// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/command_line.h"

#include <gtest/gtest.h>

namespace snellen::cli {
namespace {

TEST(CommandLine, TreatsUnderscoresInNamesAsDashesButNotInValues) {
  std::string words[] = {"snellen", "run", "--batch_size=a_b", "--", "--as_it_is"};
  char* argv[] = {
      words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data()};
  EXPECT_EQ(canonical_arguments(5, argv),
            (std::vector<std::string>{"run", "--batch-size=a_b", "--", "--as_it_is"}));
}

TEST(CommandLine, QuotesWhatAShellWouldSplit) {
  std::string words[] = {"/bin/snellen", "run", "exec:it's here"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data()};
  EXPECT_EQ(command_line(3, argv), R"(snellen run 'exec:it'\''s here')");
}

TEST(CommandLine, GivesEveryErrorTheExitCodeThatTheHelpNames) {
  EXPECT_EQ(exit_code_of(ErrorCode::kUsage), 2);
  EXPECT_EQ(exit_code_of(ErrorCode::kNotFound), 3);
  EXPECT_EQ(exit_code_of(ErrorCode::kUnmet), 5);
  EXPECT_EQ(exit_code_of(ErrorCode::kInterrupted), 130);
  EXPECT_EQ(exit_code_of(ErrorCode::kIo), 1);
}

}  // namespace
}  // namespace snellen::cli
