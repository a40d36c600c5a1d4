// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/check.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::builders::probe_c {
namespace {

CaptionFacts facts() {
  auto path = std::filesystem::path(testing::TempDir()) / "probe_c_check.json";
  write_text_file(path, R"({"annotations": [
    {"id": 1, "image_id": 1, "caption": "A LARGE dog, and a red traffic light"},
    {"id": 2, "image_id": 2, "caption": "small dog by a blue-green bus"},
    {"id": 3, "image_id": 2, "caption": "big"}, {"id": 4, "image_id": 2, "caption": "dog"},
    {"id": 5, "image_id": 3, "caption": "little dog and huge dog"}]})");
  WordLists words{.nouns = {"dog", "bus", "traffic", "red"}, .compounds = {"traffic light"}};
  return CaptionFacts(annotations::CocoCaptionsFile(path), words);
}

std::vector<std::string> rules(const SwitchWords& group, SwitchSplit split) {
  std::vector<std::string> found;
  for (const BrokenRule& broken : broken_rules(facts(), group, split)) found.push_back(broken.rule);
  return found;
}

TEST(CaptionFacts, FindPairsWordByWord) {
  CaptionFacts captions = facts();
  EXPECT_TRUE(captions.has_pair(1, "large", "dog"));
  EXPECT_TRUE(captions.has_pair(1, "red", "traffic light"));
  EXPECT_FALSE(captions.has_pair(1, "red", "traffic")) << "the compound takes it";
  EXPECT_FALSE(captions.has_pair(2, "green", "bus")) << "blue-green is one word";
  EXPECT_FALSE(captions.has_pair(2, "big", "dog")) << "words of two captions";
  EXPECT_TRUE(captions.has_like_pair(3, "large", "dog")) << "huge";
  EXPECT_TRUE(captions.mentions(1, "traffic"));
  EXPECT_FALSE(captions.is_noun("red")) << "an attribute";
}

TEST(ProbeCCheck, PassesWhatTheRulesAllow) {
  EXPECT_TRUE(rules({1, "large", "dog", 2, "small", "dog"}, SwitchSplit::kComposition).empty());
}

TEST(ProbeCCheck, NamesEveryRuleThatAGroupBreaks) {
  using Rules = std::vector<std::string>;
  EXPECT_EQ(rules({1, "large", "dog", 3, "little", "dog"}, SwitchSplit::kComposition),
            Rules{"foil-fits-image2"});
  EXPECT_EQ(rules({2, "small", "dog", 1, "large", "bus"}, SwitchSplit::kComposition),
            (Rules{"pair-absent", "noun-switched"}));
  EXPECT_EQ(rules({1, "large", "dog", 2, "small", "dog"}, SwitchSplit::kObject),
            (Rules{"attribute-switched", "noun-kept", "noun-in-image1", "noun-in-image2"}));
}

}  // namespace
}  // namespace snellen::builders::probe_c
