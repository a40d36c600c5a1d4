// SPDX-License-Identifier: Apache-2.0
// Clips: what is written can be read back exactly, and what is counted is there.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "snellen/annotations/vilma/vilma_item.h"
#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/write/clip_file.h"
#include "snellen/media/video/clip.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::eyechart::vilma {
namespace {

double psnr(const media::Image& a, const media::Image& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    const double d = static_cast<double>(a.pixels[i]) - b.pixels[i];
    sum += d * d;
  }
  return 10 * std::log10(255.0 * 255.0 / (sum / static_cast<double>(a.pixels.size())));
}

std::vector<media::Image> frames_of(const ClipScript& script) {
  std::vector<media::Image> frames;
  render_clip(script, [&](const media::Image& image, int) { frames.push_back(image); });
  return frames;
}

void expect_faithful(const VilmaClip& clip, const std::string& name) {
  const media::ScratchFolder folder;
  write_clip(clip.script, folder / name);
  const media::Clip read = media::read_clip(folder / name, {}).value();
  const std::vector<media::Image> drawn = frames_of(clip.script);
  ASSERT_EQ(read.frames.size(), drawn.size());
  double worst = 1e9;
  for (size_t i = 0; i < drawn.size(); ++i) {
    worst = std::min(worst, psnr(read.frames[i], drawn[i]));
    // WebM keeps milliseconds.
    EXPECT_NEAR(read.seconds[i], static_cast<double>(i) / clip.script.frames_per_second, 0.0006);
  }
  EXPECT_GE(worst, 35.0);
}

TEST(ClipFile, KeepsFramesTimesAndPixelsAsMp4) {
  if (!media::has_video_support()) GTEST_SKIP() << "no FFmpeg";
  expect_faithful(counting_clip(0, 1), "a.mp4");
  expect_faithful(state_clip(0, 0), "b.mp4");
}

TEST(ClipFile, KeepsFramesTimesAndPixelsAsWebm) {
  if (!media::has_video_support()) GTEST_SKIP() << "no FFmpeg";
  expect_faithful(relation_clip(0, 0), "a.webm");
}

TEST(ClipFile, HasTheSameBytesAgain) {
  if (!media::has_video_support()) GTEST_SKIP() << "no FFmpeg";
  const media::ScratchFolder folder;
  for (const char* name : {"a.mp4", "a.webm"}) {
    write_clip(relation_clip(0, 1).script, folder / name);
    const std::string first = media::bytes_of(folder / name);
    write_clip(relation_clip(0, 1).script, folder / name);
    EXPECT_EQ(media::bytes_of(folder / name), first);
  }
}

// Between two ends the picture leaves its rest and comes back: the peaks of the distance to the
// first frame are the repetitions, counted from pixels alone.
TEST(CountingClip, RepeatsAsOftenAsItsItemsSay) {
  for (uint64_t index = 0; index < 12; ++index) {
    const VilmaClip clip = counting_clip(0, index);
    const std::vector<media::Image> frames = frames_of(clip.script);
    std::vector<double> away;
    double most = 0;
    for (const media::Image& frame : frames) {
      double sum = 0;
      for (size_t i = 0; i < frame.pixels.size(); ++i) {
        sum += std::abs(static_cast<int>(frame.pixels[i]) - static_cast<int>(frames[0].pixels[i]));
      }
      away.push_back(sum);
      most = std::max(most, sum);
    }
    auto count_between = [&](int start, int end) {
      int rises = 0;
      bool is_away = false;
      for (int f = start; f < end; ++f) {
        const double share = away[static_cast<size_t>(f)] / most;
        if (!is_away && share > 0.35) {
          is_away = true;
          ++rises;
        }
        if (share < 0.12) is_away = false;
      }
      return rises;
    };
    for (const ItemRow& row : clip.rows) {
      if (row.file.find("-pts") == std::string::npos) continue;
      int start = 0;
      int end = 0;
      int count = 0;
      ASSERT_EQ(
          std::sscanf(
              row.text.c_str() + row.text.find('-', 12) + 1, "%*d-%d-%d-%d", &start, &end, &count),
          3)
          << row.text;
      EXPECT_EQ(count_between(start, end), count) << clip.path;
    }
  }
}

TEST(VilmaClips, HaveItemsThatTheLoaderTakes) {
  std::set<std::string> ids;
  size_t num_items = 0;
  size_t num_evaluated = 0;
  for (const auto draw :
       {counting_clip, action_clip, swapping_clip, state_clip, rare_clip, relation_clip}) {
    for (uint64_t index = 0; index < 30; ++index) {
      for (const ItemRow& row : draw(0, index).rows) {
        const size_t colon = row.text.find(": {");
        const std::string id = row.text.substr(1, colon - 2);
        EXPECT_TRUE(ids.insert(row.file + id).second) << id;
        const auto item = annotations::parse_vilma_item(id, row.text.substr(colon + 2), row.file);
        ASSERT_TRUE(item) << item.error().what();
        EXPECT_EQ(annotations::defect_of(*item), annotations::VilmaDefect::kNone) << row.text;
        ++num_items;
        num_evaluated += *annotations::is_evaluated(*item, annotations::VilmaFilter::kBoth) ? 1 : 0;
      }
    }
  }
  EXPECT_LT(num_evaluated, num_items);
  EXPECT_GT(num_evaluated * 2, num_items);
}

// Of the items that are evaluated, every text is the caption as often as chance has it: whoever
// reads the texts alone is right in half of the items, or a third where there are two foils.
TEST(VilmaClips, TellNothingByTheirWords) {
  for (const auto draw :
       {counting_clip, action_clip, swapping_clip, state_clip, rare_clip, relation_clip}) {
    std::map<std::string, int> balance;  // of file kind and text
    for (uint64_t index = 0; index < 36; ++index) {
      for (const ItemRow& row : draw(0, index).rows) {
        const size_t colon = row.text.find(": {");
        const auto item =
            annotations::parse_vilma_item("x", row.text.substr(colon + 2), row.file).value();
        if (!*annotations::is_evaluated(item, annotations::VilmaFilter::kBoth)) continue;
        // Counting is easy or hard by its caption alone: both together are balanced.
        const bool is_counting = row.file.starts_with("counting");
        const std::string file = is_counting ? row.file.substr(14) : row.file;
        balance[file + item.main.caption] += static_cast<int>(item.main.foils.size());
        for (const std::string& foil : item.main.foils) --balance[file + foil];
      }
    }
    EXPECT_FALSE(balance.empty());
    for (const auto& [text, difference] : balance) EXPECT_EQ(difference, 0) << text;
  }
}

TEST(NpyFile, HasNumpysHeader) {
  const std::vector<int> values = {7, 300};
  const std::string file = npy_of(values);
  EXPECT_EQ(file.substr(1, 5), "NUMPY");
  EXPECT_EQ(file.size() % 64, 16U);
  EXPECT_NE(file.find("'shape': (2,)"), std::string::npos);
  EXPECT_EQ(file[file.size() - 16], 7);
  EXPECT_EQ(static_cast<unsigned char>(file[file.size() - 8]), 300 % 256);
}

}  // namespace
}  // namespace snellen::eyechart::vilma
