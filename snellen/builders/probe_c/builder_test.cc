// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/builders/probe_c/build.h"

namespace snellen::builders::probe_c {
namespace {

namespace fs = std::filesystem;

class ProbeCBuilder : public testing::Test {
 protected:
  ProbeCBuilder()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  fs::path captions(const std::vector<std::pair<int, std::string>>& list) {
    std::string text;
    for (const auto& [image, caption] : list) {
      text += fmt::format(R"({}{{"image_id": {}, "id": {}, "caption": "{}"}})",
                          text.empty() ? "" : ", ",
                          image,
                          text.size(),
                          caption);
    }
    write_text_file(folder_ / "captions.json", fmt::format(R"({{"annotations": [{}]}})", text));
    return folder_ / "captions.json";
  }

  std::vector<std::string> groups(const fs::path& file, SwitchSplit split) {
    std::vector<std::string> nouns = {"dog", "cat", "bus"};
    Lexicon lexicon(nouns, {});
    builders::BadRecords bad;
    CaptionIndex index(annotations::CocoCaptionsFile(file), lexicon, {}, bad);
    Builder builder(index, {});
    std::vector<std::string> found;
    for (uint32_t image = 0; image < index.num_images(); ++image) {
      for (const SwitchGroup& group : builder.groups(split, image)) {
        found.push_back(fmt::format("{} {} {} {}",
                                    index.id(group.image1),
                                    prompt_of(lexicon, group.pair1),
                                    index.id(group.image2),
                                    prompt_of(lexicon, group.pair2)));
      }
    }
    return found;
  }

  fs::path folder_;
};

TEST_F(ProbeCBuilder, SwitchesAnAttributeForAnAntonymOfAnImageWithoutIt) {
  // Image 3 has a big dog too, which "large" would fit: no foil for image 1.
  fs::path file = captions({{1, "large dog"}, {3, "small dog. big dog"}, {2, "tiny dog"}});
  EXPECT_EQ(groups(file, SwitchSplit::kComposition),
            (std::vector<std::string>{"2 A photo of a tiny dog. 1 A photo of a large dog."}));
}

TEST_F(ProbeCBuilder, SwitchesANounThatNeitherImageShares) {
  fs::path file = captions(
      {{1, "red dog near a bus"}, {2, "red bus"}, {3, "red cat"}, {4, "red cat with dog"}});
  EXPECT_EQ(groups(file, SwitchSplit::kObject),
            (std::vector<std::string>{"1 A photo of a red dog. 3 A photo of a red cat.",
                                      "2 A photo of a red bus. 4 A photo of a red cat.",
                                      "3 A photo of a red cat. 1 A photo of a red dog.",
                                      "3 A photo of a red cat. 2 A photo of a red bus.",
                                      "4 A photo of a red cat. 2 A photo of a red bus."}))
      << "which of two images is drawn follows from seed 0";
}

TEST_F(ProbeCBuilder, NeedsNouns) {
  builders::BadRecords bad;
  try {
    read_word_lists({}, {}, bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  }
}

TEST_F(ProbeCBuilder, CountsNounsByTheImagesOfVisualGenome) {
  write_text_file(folder_ / "objects.json",
                  R"([{"image_id": 1, "objects": [{"name": "Lamp"}, {"name": "lamp."}]},
                      {"image_id": 2, "objects": [{"name": "lamp"}, {"name": "street lamp"}]}])");
  builders::BadRecords bad;
  NounSources sources{.objects = folder_ / "objects.json", .nouns = {}, .min_images = 2};
  WordLists lists = read_word_lists(sources, {}, bad);
  EXPECT_EQ(lists.nouns.front(), "lamp");
  sources.min_images = 3;
  EXPECT_NE(read_word_lists(sources, {}, bad).nouns.front(), "lamp");
}

}  // namespace
}  // namespace snellen::builders::probe_c
