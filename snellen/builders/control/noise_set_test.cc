// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/control/noise_set.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/base/rng.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"

namespace snellen::builders::control {
namespace {

namespace fs = std::filesystem;

class NoiseSet : public testing::Test {
 protected:
  NoiseSet()
      : folder_(fs::path(testing::TempDir()) / "noise_set" /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "images");
    for (const char* name : {"2_base.png", "10_base.png"}) {
      media::Image image = media::Image::blank(96, 64);
      Rng rng(name);
      for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(200));
      pictures_.push_back(folder_ / "images" / name);
      write_text_file(pictures_.back(), media::encode_png(image));
    }
  }

  BuildReport built(const char* out, unsigned num_threads = 1, Options options = {}) {
    return build(pictures_, options, folder_ / out, {.num_threads = num_threads});
  }

  fs::path folder_;
  std::vector<fs::path> pictures_;
};

TEST_F(NoiseSet, HasEveryPictureAtEveryLevelWithTheStatisticsOfItsNoise) {
  const BuildReport report = built("out");
  EXPECT_EQ(report.counts[0].ours, 2U);
  EXPECT_EQ(report.counts[1].ours, 8U);
  EXPECT_EQ(report.counts[2].ours, 0U);
  EXPECT_TRUE(fs::exists(folder_ / "out/noisy/10_base_e4.png"));
  const auto sheet = media::read_image(folder_ / "out/contact_sheets/2_base.png");
  EXPECT_EQ(sheet->width, 5 * 96 + 6 * 8) << "with gaps around the picture and its levels";
  const CheckReport found = check(folder_ / "out", BuildRecord::read(folder_ / "out"), {});
  EXPECT_EQ(found.num_groups, 8U);
  EXPECT_EQ(found.num_violations, 0U);
}

TEST_F(NoiseSet, IsTheSameOnAnyNumberOfThreads) {
  built("one");
  built("two", 2);
  for (const char* file : {"noisy/2_base_e2.png", "statistics.json", "contact_sheets/10_base.png"})
    EXPECT_EQ(read_text_file(folder_ / "one" / file), read_text_file(folder_ / "two" / file));
}

TEST_F(NoiseSet, CheckFindsAPictureThatIsNoSuchNoise) {
  built("out");
  fs::copy_file(folder_ / "out/noisy/2_base_e2.png",
                folder_ / "out/noisy/2_base_e4.png",
                fs::copy_options::overwrite_existing);
  fs::remove(folder_ / "out/noisy/10_base_pure.png");
  const CheckReport found = check(folder_ / "out", BuildRecord::read(folder_ / "out"), {});
  ASSERT_GE(found.num_violations, 2U);
  EXPECT_EQ(found.violations.front().rule, "statistics");
  EXPECT_EQ(found.violations.back().rule, "readable");
}

TEST_F(NoiseSet, AnUnreadablePictureIsCountedAndLeftOut) {
  write_text_file(pictures_[0], "no picture");
  const BuildReport report = built("out", 1, {.has_pure = false, .is_jpeg = true});
  EXPECT_EQ(report.bad_records.count(), 1U);
  EXPECT_EQ(report.counts[1].ours, 3U);
  EXPECT_TRUE(fs::exists(folder_ / "out/noisy/10_base_e2.jpg"));
}

}  // namespace
}  // namespace snellen::builders::control
