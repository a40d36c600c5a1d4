// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/stored_run.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

TEST(FitText, ReplacesWhatCouldDisguiseOrMove) {
  EXPECT_EQ(fit_text("a\x1b[2J\nb"), "a [2J b");
  EXPECT_EQ(fit_text("x\u202Ey\u200Bz"), "x y z");
  EXPECT_EQ(fit_text("gr\xC3\xB6\xC3\x9F"
                     "e"),
            "gr\xC3\xB6\xC3\x9F"
            "e");
}

TEST(FitText, ReplacesIllFormedBytesOneByOne) {
  EXPECT_EQ(fit_text("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(fit_text("\xC3"), "\uFFFD");                      // cut short
  EXPECT_EQ(fit_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST(FitText, CutsAfterCodePointsNotBytes) {
  EXPECT_EQ(fit_text("\xC3\xB6\xC3\xB6\xC3\xB6", 2), "\xC3\xB6\xC3\xB6...");
  EXPECT_EQ(fit_text("abc", 3), "abc");
}

TEST(StoredRun, ReadsVerdictAndModelAndSurvivesWrongTypes) {
  fs::path folder = fs::path(testing::TempDir()) / "stored_run";
  fs::create_directories(folder);
  write_text_file(folder / "run.json",
                  R"({"verdict": "complete", "identity": {"settings": {"name": "clip"}}})");
  StoredRun run = read_stored_run(folder);
  EXPECT_TRUE(run.is_finished());
  EXPECT_EQ(run.model, "clip");
  write_text_file(folder / "run.json", R"({"verdict": 3, "identity": [1]})");
  run = read_stored_run(folder);
  EXPECT_FALSE(run.is_finished());
  EXPECT_TRUE(run.stamped({"identity", "settings"}).is_null());
  write_text_file(folder / "run.json", "[");
  EXPECT_THROW(read_stored_run(folder), Error);
}

}  // namespace
}  // namespace snellen::report
