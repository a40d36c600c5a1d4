// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/build.h"

#include <map>

#include "snellen/builders/build_record.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/testing/small_coco.h"

namespace snellen::builders::probe_b {
namespace {

namespace fs = std::filesystem;

class ProbeBBuild : public SmallCoco {
 protected:
  ProbeBBuild() {
    sources_.instances = instances(
        3,
        {{1, 18, 0, 0, 10, 10}, {1, 1, 20, 0, 10, 10}, {2, 53, 5, 5, 8, 8}, {3, 18, 12, 4, 9, 9}});
    sources_.images = folder_ / "images";
    sources_.scenes = folder_ / "scenes";
    fs::create_directories(sources_.scenes);
    for (int id = 1; id <= 3; ++id) {
      write_picture(sources_.images / fmt::format("{}.jpg", id), id);
      write_picture(sources_.scenes / fmt::format("{}.png", id), id + 50);
    }
  }

  builders::BuildReport built(const std::string& name, unsigned num_threads = 2) {
    return build(sources_, options_, folder_ / name, {.num_threads = num_threads});
  }

  // Every file of a built folder and its bytes.
  std::map<std::string, std::string> contents(const std::string& name) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / name)) {
      if (entry.is_regular_file())
        files[entry.path().lexically_relative(folder_ / name)] = read_text_file(entry.path());
    }
    return files;
  }

  Sources sources_;
  BuildOptions options_;
};

TEST_F(ProbeBBuild, WritesTheFoldersOfThePublishedSetForEachFiller) {
  builders::BuildReport report = built("out");
  std::map<std::string, std::string> files = contents("out");
  EXPECT_EQ(report.bad_records.count(), 0U);
  EXPECT_EQ(report.counts[0].ours, 3U);
  EXPECT_EQ(report.counts[3].ours, 2U);
  EXPECT_EQ(files.size(), 6U + 4 * (3 + 3 + 2));  // NOTICE.txt among the six
  for (const char* name :
       {"val2014_background_removed_dataset/segmentation_mask/noise/COCO_val2014_000000000002.jpg",
        "val2014_random_patch_dataset/scene/COCO_val2014_000000000003.jpg",
        "val2014_background_removed_and_cooccurrence_dataset/segmentation_mask/gray/"
        "dog_COCO_val2014_000000000001.jpg"}) {
    EXPECT_TRUE(files.contains(name)) << name;
  }
  EXPECT_EQ(files["prompt_classes.csv"],
            "class,prompt\nperson,A photo of a person.\ndog,A photo of a dog.\napple,A photo of a "
            "apple.\n");
}

TEST_F(ProbeBBuild, KeepsObjectsAndFillsTheRest) {
  options_.format = PictureFormat::kPng;
  built("out");
  media::Image made = media::read_image(folder_ / "out" / removed_folder(media::Filler::kGray) /
                                        "COCO_val2014_000000000002.jpg")
                          .value();
  media::Image source = media::read_image(sources_.images / "2.jpg").value();
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      bool is_object = x >= 5 && x < 13 && y >= 5 && y < 13;
      auto i = static_cast<size_t>(3 * x);
      ASSERT_EQ(made.row(y)[i], is_object ? source.row(y)[i] : media::kGrayFill) << x << "," << y;
    }
  }
}

TEST_F(ProbeBBuild, MakesTheSameBytesForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  built("one", 1);
  built("four", 4);
  EXPECT_EQ(contents("one"), contents("four"));
  options_.plan.seed = 1;
  built("seed", 1);
  EXPECT_NE(contents("one"), contents("seed"));
}

TEST_F(ProbeBBuild, MakesOnlyPicturesThatAreMissingOrTorn) {
  built("out");
  std::map<std::string, std::string> whole = contents("out");
  fs::path kept =
      folder_ / "out" / patched_folder(media::Filler::kBlack) / "COCO_val2014_000000000001.jpg";
  fs::path torn =
      folder_ / "out" / patched_folder(media::Filler::kBlack) / "COCO_val2014_000000000002.jpg";
  fs::path gone =
      folder_ / "out" / removed_folder(media::Filler::kScene) / "COCO_val2014_000000000003.jpg";
  fs::file_time_type before = fs::last_write_time(kept) - std::chrono::hours(1);
  fs::last_write_time(kept, before);
  fs::resize_file(torn, fs::file_size(torn) / 2);
  fs::remove(gone);
  write_text_file(half_written_path(gone), "half");
  built("out");
  EXPECT_EQ(contents("out"), whole);
  EXPECT_EQ(fs::last_write_time(kept), before);
}

TEST_F(ProbeBBuild, GoesOnAfterABuildThatWasKilledBeforeItSaidFromWhat) {
  fs::create_directories(folder_ / "out");
  builders::BuildRecord{.builder = "probe-b", .options = {}, .sources = {}, .is_complete = false}
      .write(folder_ / "out");
  built("out");
  built("fresh");
  EXPECT_EQ(contents("out"), contents("fresh"));
}

TEST_F(ProbeBBuild, AFileThatIsCutWhileItIsReadLeavesNoWrongPicture) {
  const std::string whole = read_text_file(sources_.instances);
  ASSERT_LT(whole.size(), 4096U) << "what is cut off one page reads as zeros";
  const auto cut = [&](std::string_view, uint64_t, uint64_t) {
    fs::resize_file(sources_.instances, whole.find("annotations") + 20);
  };
  EXPECT_THROW(build(sources_, options_, folder_ / "out", {.num_threads = 1, .observe = cut}),
               Error);
  write_text_file(sources_.instances, whole);
  built("out");
  built("fresh");
  EXPECT_EQ(contents("out"), contents("fresh"));
}

TEST_F(ProbeBBuild, RefusesAFolderOfOtherSettingsUnlessTold) {
  built("out");
  options_.plan.seed = 5;
  try {
    built("out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(error.message().find("seed"), std::string::npos);
  }
  options_.overwrites = true;
  built("out");
  built("fresh");
  EXPECT_EQ(contents("out"), contents("fresh"));
}

TEST_F(ProbeBBuild, NoticesPolygonsThatMovedInAFileOfTheSameName) {
  built("out");
  std::string text = read_text_file(sources_.instances);
  text.replace(text.find("[[") + 2, 1, "9");
  write_text_file(sources_.instances, text);
  try {
    built("out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(error.message().find("instances: the content"), std::string::npos) << error.what();
  }
  options_.overwrites = true;
  built("out");
  built("fresh");
  EXPECT_EQ(contents("out"), contents("fresh"));
}

TEST_F(ProbeBBuild, GoesOnWhenAFileOfTheSameContentLiesElsewhere) {
  built("out");
  fs::path moved = folder_ / "moved.json";
  fs::copy_file(sources_.instances, moved);
  sources_.instances = moved;
  EXPECT_NO_THROW(built("out"));
}

TEST_F(ProbeBBuild, LeavesOutAndNamesImagesItCannotRead) {
  fs::remove(sources_.images / "1.jpg");
  write_text_file(sources_.images / "3.jpg", "no picture");
  builders::BuildReport report = built("out");
  ASSERT_EQ(report.bad_records.count(), 2U);
  EXPECT_NE(report.bad_records.named()[0].where().find("1.jpg"), std::string::npos);
  EXPECT_EQ(report.counts[0].ours, 1U);
}

TEST_F(ProbeBBuild, UsesOnlyListedScenes) {
  sources_.scene_list = folder_ / "list";
  write_text_file(sources_.scene_list, "2.png\r\n\n");
  Scenes scenes(sources_.scenes, sources_.scene_list);
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes.file(0).filename(), "2.png");
  EXPECT_EQ(scenes.picture(0)->width, kWidth);
  write_text_file(sources_.scene_list, "9.png\n");
  EXPECT_THROW(built("out"), Error);
}

}  // namespace
}  // namespace snellen::builders::probe_b
