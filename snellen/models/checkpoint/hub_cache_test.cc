// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/hub_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class HubCache : public testing::Test {
 protected:
  void SetUp() override {
    cache_ = fs::path(testing::TempDir()) /
             (std::string("hub_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(cache_);
    repository_ = cache_ / "models--openai--clip";
    write_text_file(repository_ / "refs" / "main", "abc\n");
    write_text_file(repository_ / "blobs" / "1", "{}");
    fs::create_directories(repository_ / "snapshots" / "abc");
    fs::create_symlink("../../blobs/1", repository_ / "snapshots" / "abc" / "config.json");
  }

  std::string refusal(const HubName& name) const {
    try {
      find_in_hub_cache(name, cache_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path cache_;
  fs::path repository_;
};

TEST(HubName, HasAnOrganisationOrAPrefix) {
  EXPECT_EQ(hub_name_of("openai/clip")->repository, "openai/clip");
  EXPECT_EQ(hub_name_of("openai/clip")->revision, "main");
  EXPECT_EQ(hub_name_of("hf:gpt2@v1")->repository, "gpt2");
  EXPECT_EQ(hub_name_of("hf:gpt2@v1")->revision, "v1");
  for (const char* word : {"gpt2", "a/b/c", "../x", "/tmp/x", "a/b@", "a/b@../c", "a b/c", "a/--"})
    EXPECT_FALSE(hub_name_of(word)) << word;
}

TEST(HubName, OfTheReferenceScriptsIsThePublishedOne) {
  EXPECT_EQ(reference_checkpoint("clip_ViT-L/14@336px")->repository,
            "openai/clip-vit-large-patch14-336");
  EXPECT_EQ(reference_checkpoint("bridgetower")->repository,
            "BridgeTower/bridgetower-large-itm-mlm");
  EXPECT_FALSE(reference_checkpoint("clip"));
}

TEST_F(HubCache, FindsBranchesAndCommits) {
  EXPECT_EQ(find_in_hub_cache({"openai/clip"}, cache_), repository_ / "snapshots" / "abc");
  EXPECT_EQ(find_in_hub_cache({"openai/clip", "abc"}, cache_), repository_ / "snapshots" / "abc");
  fs::remove_all(repository_ / "refs");
  EXPECT_EQ(find_in_hub_cache({"openai/clip"}, cache_), repository_ / "snapshots" / "abc");
}

TEST_F(HubCache, SaysHowToGetWhatIsNotThere) {
  EXPECT_THAT(refusal({"openai/other"}), HasSubstr("hf download openai/other --local-dir other"));
  EXPECT_THAT(refusal({"openai/clip", "v9"}), HasSubstr("not its revision 'v9'; there is: abc"));
}

TEST_F(HubCache, RefusesARefThatLeadsElsewhere) {
  for (const char* ref : {"../..", "", "\n", "abc/..", "/tmp", "a b"}) {
    write_text_file(repository_ / "refs" / "main", ref);
    EXPECT_THAT(refusal({"openai/clip"}), HasSubstr("names no commit")) << ref;
  }
}

TEST_F(HubCache, NamesLinksToFilesThatAreGone) {
  fs::create_symlink("../../blobs/9", repository_ / "snapshots" / "abc" / "model.safetensors");
  EXPECT_THAT(refusal({"openai/clip"}), HasSubstr("links to files that are gone: model.safe"));
}

TEST_F(HubCache, ListsSnapshots) {
  const std::vector<HubSnapshot> found = installed_snapshots(cache_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].repository, "openai/clip");
  EXPECT_EQ(found[0].num_bytes, 2U);
  EXPECT_TRUE(installed_snapshots(cache_ / "nowhere").empty());
}

}  // namespace
}  // namespace snellen::models
