// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/relcomp/build.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/annotations/record.h"
#include "snellen/base/files.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders::relcomp {
namespace {

namespace fs = std::filesystem;

class RelComp : public testing::Test {
 protected:
  RelComp()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::string relationships;
    std::string objects;
    std::string image_data;
    std::string captions;
    for (int i = 0; i < 2000; ++i) {
      const char* comma = i == 0 ? "" : ", ";
      relationships += fmt::format(
          R"({}{{"image_id": {}, "relationships": [{{"predicate": "p{}", "subject": {{"name": "s{}"}},)"
          R"( "object": {{"name": "o{}"}}}}]}})",
          comma,
          i,
          (i % 7 + i % 11) % 5,
          i % 7,
          i % 11);
      objects += fmt::format(R"({}{{"image_id": {}, "objects": []}})", comma, i);
      image_data += fmt::format(R"({}{{"image_id": {}, "coco_id": {}}})", comma, i, i);
      captions += fmt::format(R"({}{{"id": {}, "image_id": {}, "caption": "a {} {}"}})",
                              comma,
                              i,
                              5000 + i,
                              i % 2 == 0 ? "red" : "green",
                              i % 3 == 0 ? "dog" : "cat");
    }
    sources_.visual_genome = {
        .relationships = write("relationships.json", "[" + relationships + "]"),
        .objects = write("objects.json", "[" + objects + "]"),
        .object_aliases = {},
        .relationship_aliases = {}};
    sources_.image_data = write("image_data.json", "[" + image_data + "]");
    sources_.captions = write("captions.json", R"({"annotations": [)" + captions + "]}");
    sources_.coco_val = write("val.json", R"({"images": [{"id": 3}, {"id": 12}, {"id": 14}]})");
    sources_.nouns.nouns = write("nouns.txt", "dog\ncat\n");
  }

  fs::path write(const char* name, const std::string& text) {
    write_text_file(folder_ / name, text);
    return folder_ / name;
  }

  Sources sources_;
  Options options_ = {.min_object_images = 1};
  fs::path folder_;
};

TEST_F(RelComp, KeepsSplitsApartAndOutOfTheProbes) {
  build(sources_, options_, folder_ / "out", {.num_threads = 2});
  size_t num_relational = 0;
  size_t num_compositional = 0;
  for (bool is_training : {true, false}) {
    std::string text = read_text_file(folder_ / "out" /
                                      (is_training ? "relcomp_train.jsonl" : "relcomp_val.jsonl"));
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find('\n', at);
      annotations::Record record(std::string_view(text).substr(at, end - at), "line");
      at = end + 1;
      if (record.text("task") == "rel") {
        ++num_relational;
        int64_t id = record.integer("image_id");
        EXPECT_TRUE(builders::is_reserved_for_relcomp(id));
        EXPECT_TRUE(id != 3 && id != 12 && id != 14);
        EXPECT_EQ(builders::is_in_training_split(id), is_training);
        EXPECT_NE(record.text("prompt_pos"), record.text("prompt_neg_predicate"));
        EXPECT_NE(record.text("prompt_pos"), record.text("prompt_neg_subject"));
      } else {
        ++num_compositional;
        EXPECT_EQ(builders::is_in_training_split(record.integer("img1_id")), is_training);
        EXPECT_EQ(builders::is_in_training_split(record.integer("img2_id")), is_training);
      }
      EXPECT_FALSE(record.failed());
    }
  }
  EXPECT_GT(num_relational, 100U);
  EXPECT_GT(num_compositional, 2000U);
}

// Photos of the fixture: captions 5000.., Visual Genome 0.. with COCO's ids 0...
TEST_F(RelComp, LeavesOutPhotosThatVisualGenomeShowsToo) {
  std::string image_data;
  for (int i = 0; i < 2000; ++i) {
    // Every third photo of the captions is in Visual Genome.
    const int coco = i % 3 == 0 ? 5000 + i : 20000 + i;
    image_data +=
        fmt::format(R"({}{{"image_id": {}, "coco_id": {}}})", i == 0 ? "" : ", ", i, coco);
  }
  sources_.image_data = write("image_data.json", "[" + image_data + "]");
  builders::BuildReport report = build(sources_, options_, folder_ / "out", {.num_threads = 2});
  size_t num_compositional = 0;
  for (const char* name : {"relcomp_train.jsonl", "relcomp_val.jsonl"}) {
    std::string text = read_text_file(folder_ / "out" / name);
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find('\n', at);
      annotations::Record record(std::string_view(text).substr(at, end - at), "line");
      at = end + 1;
      if (record.text("task") == "rel") continue;
      ++num_compositional;
      for (const char* key : {"img1_id", "img2_id"})
        EXPECT_NE((record.integer(key) - 5000) % 3, 0) << "a photo of Visual Genome";
    }
  }
  EXPECT_GT(num_compositional, 1000U);
  EXPECT_EQ(report.counts[0].what, "photos of Visual Genome left out");
  EXPECT_EQ(report.counts[0].ours, 667U);
}

// Two ids of Visual Genome may show one photo: what Probe-R shows by the one, RelComp must not show
// by the other.
TEST_F(RelComp, LeavesOutAPhotoThatProbeRShowsUnderAnotherId) {
  int reserved = 0;
  while (!builders::is_reserved_for_relcomp(reserved)) ++reserved;
  int probed = 0;
  while (builders::is_reserved_for_relcomp(probed)) ++probed;
  auto has_reserved = [&](const std::string& out) {
    build(sources_, options_, folder_ / out, {.num_threads = 2});
    std::string text = read_text_file(folder_ / out / "relcomp_train.jsonl") +
                       read_text_file(folder_ / out / "relcomp_val.jsonl");
    return text.find(fmt::format("\"rel\", \"image_id\": {},", reserved)) != std::string::npos;
  };
  EXPECT_TRUE(has_reserved("before"));
  sources_.image_data =
      write("image_data.json",
            fmt::format(R"([{{"image_id": {}, "coco_id": 9}}, {{"image_id": {}, "coco_id": 9}}])",
                        reserved,
                        probed));
  EXPECT_FALSE(has_reserved("after"));
}

TEST_F(RelComp, MakesTheSameBytesForAnyNumberOfThreads) {
  build(sources_, options_, folder_ / "one", {.num_threads = 1});
  build(sources_, options_, folder_ / "four", {.num_threads = 4});
  for (const char* name : {"relcomp_train.jsonl", "relcomp_val.jsonl"})
    EXPECT_EQ(read_text_file(folder_ / "one" / name), read_text_file(folder_ / "four" / name));
}

TEST_F(RelComp, RefusesCaptionsOfValImages) {
  sources_.coco_val = write("val.json", R"({"images": [{"id": 5001}]})");
  EXPECT_THROW(build(sources_, options_, folder_ / "out", {}), Error);
}

}  // namespace
}  // namespace snellen::builders::relcomp
