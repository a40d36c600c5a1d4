// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/builder.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/probe_r/build.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders::probe_r {
namespace {

namespace fs = std::filesystem;

class ProbeRBuilder : public testing::Test {
 protected:
  ProbeRBuilder()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  // Images 1..n: each has one of six nouns on one of six others.
  VisualGenome small_world(int num_images) {
    const char* nouns[] = {"dog", "cat", "cup", "hat", "car", "bus"};
    const char* places[] = {"mat", "bed", "bench", "road", "box", "rug"};
    const char* predicates[] = {"on", "near", "under"};
    std::string relationships;
    std::string objects;
    for (int i = 0; i < num_images; ++i) {
      relationships += fmt::format(
          R"({}{{"image_id": {}, "relationships": [{{"predicate": "{}", "subject": {{"name": "{}"}},)"
          R"( "object": {{"names": ["{}"]}}}}]}})",
          i == 0 ? "[" : ", ",
          i + 1,
          predicates[i % 3],
          nouns[i % 6],
          places[i * 7 / 6 % 6]);
      objects += fmt::format(R"({}{{"image_id": {}, "objects": [{{"name": "{}"}}]}})",
                             i == 0 ? "[" : ", ",
                             i + 1,
                             nouns[i % 6]);
    }
    write_text_file(folder_ / "relationships.json", relationships + "]");
    write_text_file(folder_ / "objects.json", objects + "]");
    return VisualGenome::in(folder_);
  }

  std::string built(const VisualGenome& sources, const BuilderOptions& options, unsigned threads) {
    build(sources, options, folder_, {.num_threads = threads});
    return read_text_file(folder_ / "relation_eval_subject.json");
  }

  fs::path folder_;
};

TEST_F(ProbeRBuilder, MakesTheSameBytesForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  VisualGenome sources = small_world(300);
  BuilderOptions options{.num_images = 3, .min_object_images = 2};
  std::string one = built(sources, options, 1);
  EXPECT_GT(one.size(), 1000U);
  EXPECT_EQ(one, built(sources, options, 4));
  options.seed = 1;
  EXPECT_NE(one, built(sources, options, 1));
}

TEST_F(ProbeRBuilder, KeepsImagesOfRelCompOutOfEveryRole) {
  VisualGenome sources = small_world(300);
  builders::BadRecords bad;
  Corpus corpus = read_corpus(sources, {}, bad);
  Builder builder(corpus, {.num_images = 3, .min_object_images = 2});
  Builder::Scratch scratch;
  size_t num_groups = 0;
  for (uint32_t image = 0; image < corpus.num_images(); ++image) {
    EXPECT_EQ(builder.is_candidate(image), !builders::is_reserved_for_relcomp(corpus.id(image)));
    if (!builder.is_candidate(image)) continue;
    std::optional<BuiltGroup> group = builder.group(image, scratch);
    if (!group) continue;
    ++num_groups;
    for (const auto& ids : {group->positives, group->negatives}) {
      for (int64_t id : ids) EXPECT_FALSE(builders::is_reserved_for_relcomp(id)) << id;
    }
  }
  EXPECT_GT(num_groups, 100U);
}

TEST_F(ProbeRBuilder, TakesNamesFromBothFilesAndDropsInvalidTriples) {
  write_text_file(folder_ / "relationships.json",
                  R"([{"image_id": 9, "relationships": [
                      {"predicate": "ON", "subject": {"name": "Dog "}, "object": {"name": "mat"}},
                      {"predicate": "on", "subject": {"name": "dog"}, "object": {"name": "MAT."}},
                      {"predicate": "", "subject": {"name": "sky"}, "object": {"name": "mat"}},
                      {"predicate": "is", "subject": {"name": "dog"}, "object": {"name": "dog"}}]}])");
  write_text_file(folder_ / "objects.json",
                  R"([{"image_id": 9, "objects": [{"name": "hat"}, {"name": ""}]},
                      {"image_id": 4, "objects": [{"name": "dog"}]}])");
  builders::BadRecords bad;
  Corpus corpus = read_corpus(VisualGenome::in(folder_), {}, bad);
  ASSERT_EQ(corpus.num_images(), 2U);
  EXPECT_EQ(corpus.id(0), 4);
  EXPECT_FALSE(corpus.has_relationships(0));
  std::set<std::string> names;
  for (uint32_t name : corpus.names_in(1)) names.insert(std::string(corpus.names()[name]));
  EXPECT_EQ(names, (std::set<std::string>{"dog", "mat", "sky", "hat"}));
  ASSERT_EQ(corpus.triples_of(1).size(), 1U);
  EXPECT_EQ(corpus.names()[corpus.names_in(1)[0]], "dog") << "the commonest name first";
  EXPECT_EQ(bad.count(), 0U);
}

TEST_F(ProbeRBuilder, CountsAliasesBadRecordsAndTwins) {
  write_text_file(folder_ / "object_alias.txt", "dog,puppy\n");
  write_text_file(folder_ / "relationships.json", R"([{"image_id": 1, "relationships": []}, 7])");
  write_text_file(folder_ / "objects.json",
                  R"([{"image_id": 1, "objects": [{"name": "puppy"}]},
                      {"image_id": 1, "objects": [{"name": "cat"}]}])");
  builders::BadRecords bad;
  Corpus corpus = read_corpus(VisualGenome::in(folder_), {}, bad);
  EXPECT_EQ(bad.count(), 2U);
  ASSERT_EQ(corpus.names_in(0).size(), 1U);
  EXPECT_EQ(corpus.names()[corpus.names_in(0)[0]], "dog");
}

}  // namespace
}  // namespace snellen::builders::probe_r
