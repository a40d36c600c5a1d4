// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/check.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::builders::probe_r {
namespace {

namespace fs = std::filesystem;

class ProbeRCheck : public testing::Test {
 protected:
  ProbeRCheck() : folder_(fs::path(testing::TempDir()) / "probe_r_check") {
    fs::create_directories(folder_);
    write_text_file(folder_ / "relationships.json", R"([
      {"image_id": 1, "relationships": [{"predicate": "ON", "subject": {"name": "red dog"}, "object": {"name": "mat"}}]},
      {"image_id": 2, "relationships": [{"predicate": "near", "subject": {"name": "cat"}, "object": {"name": "mat"}},
                                        {"predicate": "on", "subject": {"name": "cat"}, "object": {"name": "bed"}}]},
      {"image_id": 3, "relationships": [{"predicate": "on", "subject": {"name": "hat"}, "object": {"name": "mat"}}]}])");
    write_text_file(folder_ / "objects.json", R"([{"image_id": 1, "objects": [{"name": "sky"}]},
      {"image_id": 2, "objects": [{"name": "sky"}]}])");
    facts_ = std::make_unique<Facts>(VisualGenome::in(folder_), builders::Workers{});
  }

  std::vector<std::string> rules(const std::string& foil_subject,
                                 const std::string& foil_predicate) {
    std::vector<std::string> found;
    for (const BrokenRule& broken : broken_rules(*facts_,
                                                 1,
                                                 "A photo of a red dog on mat.",
                                                 foil_subject,
                                                 foil_predicate,
                                                 {.min_object_images = 1}))
      found.push_back(broken.rule);
    return found;
  }

  fs::path folder_;
  std::unique_ptr<Facts> facts_;
};

TEST_F(ProbeRCheck, KnowsWhatIsInWhichImage) {
  EXPECT_TRUE(facts_->has_name(1, "red dog"));
  EXPECT_TRUE(facts_->has_name(1, "sky"));
  EXPECT_FALSE(facts_->has_name(1, "cat"));
  EXPECT_EQ(facts_->num_shared(1, 2, "sky"), 1U) << "the mat";
  EXPECT_EQ(facts_->images_of_subject("cat"), 1U);
  EXPECT_EQ(facts_->images_of_subject("mat"), 0U) << "never a subject";
  EXPECT_EQ(facts_->count_of_predicate("on"), 3U);
}

TEST_F(ProbeRCheck, PassesAFoilThatWasNeverSeen) {
  EXPECT_TRUE(rules("A photo of a cat on mat.", "A photo of a red dog near mat.").empty());
}

TEST_F(ProbeRCheck, NamesEveryRuleThatAFoilBreaks) {
  using Rules = std::vector<std::string>;
  EXPECT_EQ(rules("A photo of a hat on mat.", "A photo of a red dog near mat."),
            Rules{"foil-subject-seen"});
  EXPECT_EQ(rules("A photo of a cat near mat.", "A photo of a red dog near mat."),
            Rules{"subject-prompt"});
  EXPECT_EQ(rules("A photo of a cat on mat.", "A photo of a red dog on mat."),
            Rules{"foil-predicate-seen"});
  EXPECT_EQ(rules("A photo of a cat on mat.", "A photo of a red dog over mat."),
            Rules{"foil-predicate-rare"});
  EXPECT_EQ(rules("A photo of a sky on mat.", "A photo of a red dog near mat."),
            (Rules{"foil-subject-in-anchor", "foil-subject-rare"}));
}

TEST_F(ProbeRCheck, NamesATripleOfAnotherImage) {
  std::vector<BrokenRule> broken =
      broken_rules(*facts_, 2, "A photo of a red dog on mat.", "", "", {});
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken[0].rule, "triple-unknown");
}

}  // namespace
}  // namespace snellen::builders::probe_r
