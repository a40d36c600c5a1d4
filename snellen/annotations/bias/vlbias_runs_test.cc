// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/bias/vlbias_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

const std::string kDashLine(60, '-');

TEST(VlbiasRuns, TakesTheLatestRunOrTheFirstAfterATime) {
  const fs::path outputs = fs::path(testing::TempDir()) / "vlbias-outputs";
  fs::remove_all(outputs);
  for (const char* run : {"b_note/close_20240101-000000",
                          "b_note/close_20240301-000000",
                          "b_note/close_20240201-000000",
                          "b_note/open_20250101-000000",
                          "a/close_20240115-000000",
                          "a/close-20240115-000000"})
    fs::create_directories(outputs / run);
  std::vector<VlbiasRun> latest = vlbias_runs(outputs, "close");
  ASSERT_EQ(latest.size(), 2U);
  EXPECT_EQ(latest[0].model, "a");
  EXPECT_EQ(latest[1].time, "20240301-000000");
  std::vector<VlbiasRun> later = vlbias_runs(outputs, "close", "20240115-000000");
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].time, "20240201-000000");
  EXPECT_THROW(vlbias_runs(outputs / "none", "close"), Error);
}

TEST(VlbiasLog, KeepsInstructionsAndAnswersOfManyLines) {
  const fs::path log = fs::path(testing::TempDir()) / "vlbias-log.txt";
  write_text_file(log,
                  "Loading model\nID:\t7\nInstruction:\tQuestion: x\nOptions:\nYes\n\nYour answer "
                  "is:\nImages:\t['a/0.jpg']\nAnswer:\tID:\tis a word\n\nYes.\n" +
                      kDashLine + "\nID:\t8\nInstruction:\ty\nImages:\t[]\nAnswer:\t\n" +
                      kDashLine + "\nID:\t9\nInstruction:\tcut");
  std::vector<ResultRow> rows;
  const LogReading reading =
      read_vlbias_log(log, [&](const ResultRow& row) { rows.push_back(row); });
  EXPECT_EQ(reading.num_samples, 2U);
  EXPECT_EQ(reading.num_cut, 1U);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id, "7");
  EXPECT_EQ(rows[0].instruction, "Question: x\nOptions:\nYes\n\nYour answer is:");
  EXPECT_THAT(rows[0].in_images, ElementsAre("a/0.jpg"));
  EXPECT_EQ(rows[0].answer, "ID:\tis a word\n\nYes.");
  EXPECT_EQ(rows[1].answer, "");
}

TEST(VlbiasLog, RefusesASampleWithoutItsFields) {
  const fs::path log = fs::path(testing::TempDir()) / "vlbias-bad-log.txt";
  write_text_file(log, "ID:\t7\nAnswer:\tYes\n" + kDashLine + "\n");
  EXPECT_THROW(read_vlbias_log(log, [](const ResultRow&) {}), Error);
}

TEST(PythonTexts, ReadsBothQuotes) {
  EXPECT_THAT(*python_texts(R"(['a', "it's", 'q\'\\'])"), ElementsAre("a", "it's", "q'\\"));
  EXPECT_THAT(*python_texts(" [] "), ElementsAre());
  for (const char* bad : {"", "[", "['a'", "['a' 'b']", "[1]", "['a'] x"})
    EXPECT_FALSE(python_texts(bad)) << bad;
}

}  // namespace
}  // namespace snellen::annotations
