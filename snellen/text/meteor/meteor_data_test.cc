// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/meteor_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/formats/zip.h"
#include "snellen/testing/test_archives.h"
#include "snellen/text/meteor/wordnet.h"

namespace snellen::text::meteor {
namespace {

using testing::HasSubstr;

TEST(MeteorFiles, PrefersTablesOverTheJarAndLooksBelow) {
  TemporaryFolder folder;
  folder.write("data/paraphrase-en.gz", "");
  folder.write("meteor-1.5.jar", "");
  DataPlaces places;
  places.named_folder = folder.path();
  DataFiles files = find_meteor_files(places);
  EXPECT_EQ(files.paraphrase, folder.path() / "data" / "paraphrase-en.gz");
  EXPECT_EQ(files.jar, folder.path() / "meteor-1.5.jar");
  folder.write("synonym/english.synsets", "");
  folder.write("synonym/english.exceptions", "");
  files = find_meteor_files(places);
  EXPECT_EQ(files.synsets, folder.path() / "synonym" / "english.synsets");
  EXPECT_TRUE(files.jar.empty());
  EXPECT_TRUE(files.is_exact());
}

TEST(MeteorFiles, ReportsWhatTheUserNamedAndIsNotThere) {
  TemporaryFolder folder;
  DataPlaces places;
  places.named_folder = folder.path();
  EXPECT_THROW(find_meteor_files(places), Error);
  places.named_folder.clear();
  places.paraphrase_file = folder.path() / "absent.gz";
  EXPECT_THROW(find_meteor_files(places), Error);
}

TEST(MeteorFiles, NamedTableWinsOverTheFolders) {
  TemporaryFolder folder;
  folder.write("paraphrase-en.gz", "");
  DataPlaces places;
  places.named_folder = folder.path();
  places.paraphrase_file = folder.write("mine.gz", "");
  EXPECT_EQ(find_meteor_files(places).paraphrase, folder.path() / "mine.gz");
}

TEST(MeteorData, WarnsWhenNothingIsFound) {
  MeteorData data = load_meteor_data(DataPlaces{});
  EXPECT_FALSE(data.paraphrases.has_value());
  EXPECT_TRUE(data.lexicon.is_empty());
  EXPECT_EQ(data.warnings.size(), 2u);
}

TEST(MeteorData, ReadsTablesAndKeepsThemInTheCache) {
  TemporaryFolder folder;
  folder.write("english.synsets", "dog\n1 2\n");
  folder.write("english.exceptions", "dog\ndoggies\n");
  DataPlaces places;
  places.named_folder = folder.path();
  places.cache_folder = folder.path() / "cache";
  EXPECT_TRUE(load_meteor_data(places).lexicon.has_lemma("dog"));
  // The second load reads the cache: the table has other words now, but looks unchanged.
  const std::filesystem::path synsets = folder.path() / "english.synsets";
  const auto written = std::filesystem::last_write_time(synsets);
  folder.write("english.synsets", "cat\n1 2\n");
  std::filesystem::last_write_time(synsets, written);
  const MeteorData kept = load_meteor_data(places);
  EXPECT_TRUE(kept.lexicon.has_lemma("dog"));
  EXPECT_FALSE(kept.lexicon.has_lemma("cat"));
  // Without a cache it is the table that speaks.
  places.cache_folder.clear();
  EXPECT_TRUE(load_meteor_data(places).lexicon.has_lemma("cat"));
}

TEST(Wordnet, QualifiesOffsetsByPartOfSpeech) {
  TemporaryFolder folder;
  folder.write("index.noun", "  1 licence\ndown n 2 1 @ 2 0 00000005 00000009\n");
  folder.write("index.verb", "stand v 1 0 1 0 00000005\n");
  folder.write("index.adj", "");
  folder.write("index.adv", "");
  for (const char* name : {"adj.exc", "adv.exc", "noun.exc"}) folder.write(name, "");
  folder.write("verb.exc", "stood stand\n");
  DataPlaces places;
  places.wordnet_folder = folder.path();
  MeteorData data = load_meteor_data(places);
  std::vector<int64_t> down, stood;
  data.lexicon.synsets_of("down", down);
  data.lexicon.synsets_of("stood", stood);
  EXPECT_THAT(down, testing::ElementsAre(1'000'000'005, 1'000'000'009));
  EXPECT_THAT(stood, testing::ElementsAre(2'000'000'005));
  EXPECT_FALSE(data.files.is_exact());
}

TEST(Wordnet, NamesTheLineThatIsNoIndex) {
  TemporaryFolder folder;
  for (const auto& path : wordnet_files(folder.path())) write_text_file(path, "");
  folder.write("index.verb", "stand v 9 0 00000005\n");
  try {
    lexicon_from_wordnet(folder.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("index.verb: line 1"));
  }
}

std::optional<std::string> read_entry(std::string_view archive,
                                      std::string_view name,
                                      size_t max_bytes = 1000) {
  const std::optional<formats::ZipEntry> entry = formats::find_zip_entry(archive, name, "x.jar");
  if (!entry) return std::nullopt;
  return formats::unpack(*entry, max_bytes, "x.jar");
}

TEST(ZipArchive, ReadsAnEntry) {
  std::string archive = zipped("synonym/english.synsets", "dog\n1\n");
  EXPECT_EQ(read_entry(archive, "synonym/english.synsets"), "dog\n1\n");
  EXPECT_EQ(read_entry(archive, "other"), std::nullopt);
}

TEST(ZipArchive, NeverReadsOutsideDamagedArchives) {
  std::string good = zipped("a", "some text that is packed");
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(read_entry(good.substr(0, size), "a"), Error) << size;
  }
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0xFF);
    try {
      read_entry(bad, "a");
    } catch (const Error&) {
    }
  }
  EXPECT_THROW(read_entry(good, "a", 3), Error);
}

}  // namespace
}  // namespace snellen::text::meteor
