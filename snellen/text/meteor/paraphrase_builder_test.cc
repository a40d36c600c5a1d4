// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/paraphrase_builder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/testing/test_archives.h"

namespace snellen::text::meteor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kTable =
    "0.5\ntwo\na couple of\n0.4\ntwo\na pair of\n0.1\na pair of\ntwo\n";

uint32_t phrase(const ParaphraseIndex& index, std::initializer_list<std::string_view> words) {
  std::vector<uint32_t> ids;
  uint64_t hash = 0;
  for (std::string_view word : words) {
    ids.push_back(index.word_id(word));
    hash = extend_hash(hash, ids.back());
  }
  return index.find_phrase(ids, hash);
}

TEST(ParaphraseIndex, FindsWordsPhrasesAndPairsInTableOrder) {
  ParaphraseIndex index = index_of_pairs(std::vector<std::pair<std::string, std::string>>{
      {"two", "a couple of"}, {"two", "a pair of"}, {"a pair of", "two"}});
  EXPECT_EQ(index.num_words(), 5u);
  EXPECT_EQ(index.num_phrases(), 3u);
  EXPECT_EQ(index.num_keys(), 2u);
  EXPECT_EQ(index.num_pairs(), 3u);
  uint32_t two = phrase(index, {"two"}), couple = phrase(index, {"a", "couple", "of"});
  uint32_t pair = phrase(index, {"a", "pair", "of"});
  EXPECT_THAT(index.paraphrases(two), ElementsAre(couple, pair));
  EXPECT_THAT(index.paraphrases(pair), ElementsAre(two));
  EXPECT_TRUE(index.paraphrases(couple).empty());
  EXPECT_EQ(index.longest_from(index.word_id("a")), 3u);
  EXPECT_EQ(index.word_id("three"), ParaphraseIndex::kNone);
  EXPECT_EQ(phrase(index, {"a", "pair"}), ParaphraseIndex::kNone);
  EXPECT_TRUE(index.may_hold(index.filter_of(two), phrase_hash(pair)));
  EXPECT_EQ(index.filter_of(couple).size, 0u);
}

TEST(ParaphraseIndex, GathersAKeyThatComesBackAndKeepsDuplicates) {
  ParaphraseIndex index = index_of_pairs(std::vector<std::pair<std::string, std::string>>{
      {"a", "b"}, {"c", "d"}, {"a", "e"}, {"a", "b"}, {"", "f"}, {"c", ""}});
  uint32_t b = phrase(index, {"b"}), e = phrase(index, {"e"});
  EXPECT_THAT(index.paraphrases(phrase(index, {"a"})), ElementsAre(b, e, b));
  EXPECT_EQ(index.num_pairs(), 4u);
}

TEST(ParaphraseIndex, HoldsMoreWordsThan16BitsCount) {
  ParaphraseBuilder builder;
  for (int i = 0; i < 40000; ++i) builder.add(fmt::format("k{}", i), fmt::format("w{} x", i));
  ParaphraseIndex index(*IndexFile::open(std::move(builder).finish({}), kParaphraseFormat));
  EXPECT_EQ(index.num_words(), 80001u);
  uint32_t last = phrase(index, {"w39999", "x"});
  ASSERT_NE(last, ParaphraseIndex::kNone);
  EXPECT_THAT(index.paraphrases(phrase(index, {"k39999"})), ElementsAre(last));
}

std::string error_of(std::string_view packed) {
  try {
    build_paraphrase_index(packed, "table.gz", {});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ParaphraseTable, RefusesALineCountThatIsNoMultipleOfThree) {
  EXPECT_THAT(error_of(gzipped("0.5\na\nb\n0.5\na\n")), HasSubstr("table.gz: line 5"));
}

TEST(ParaphraseTable, NamesTheLineOfIllFormedUtf8) {
  EXPECT_THAT(error_of(gzipped("0.5\na\n\xFF\n")),
              HasSubstr("table.gz: line 3: a line is not valid UTF-8"));
}

TEST(ParaphraseTable, RefusesDamagedAndCutData) {
  std::string good = gzipped(kTable);
  EXPECT_EQ(error_of(good), "");
  EXPECT_THAT(error_of(good.substr(0, good.size() - 9)), HasSubstr("end too early"));
  EXPECT_THAT(error_of("no gzip at all"), HasSubstr("damaged"));
  EXPECT_THAT(error_of(""), HasSubstr("end too early"));
  EXPECT_THAT(error_of(good + "rest"), HasSubstr("damaged"));
}

TEST(ParaphraseTable, ReadsMembersOneAfterTheOther) {
  EXPECT_EQ(error_of(gzipped("0.5\na\n") + gzipped("b\n") + std::string(7, '\0')), "");
}

TEST(ParaphraseTable, RefusesAnEndlessLine) {
  EXPECT_THAT(error_of(gzipped(std::string(3 << 20, 'a'))), HasSubstr("longer than"));
}

struct Cached {
  TemporaryFolder folder;
  std::filesystem::path table = folder.write("paraphrase-en.gz", gzipped(kTable));
  std::filesystem::path cache = folder.path() / "cache";

  std::filesystem::path index_file() const {
    for (const auto& entry : std::filesystem::directory_iterator(cache)) {
      if (entry.path().extension() == ".idx") return entry.path();
    }
    return {};
  }
};

TEST(ParaphraseCache, BuildsOnceThenMaps) {
  Cached files;
  LoadedParaphrases first = load_paraphrases(files.table, files.cache);
  EXPECT_TRUE(first.was_built && first.was_stored);
  LoadedParaphrases second = load_paraphrases(files.table, files.cache);
  EXPECT_FALSE(second.was_built);
  EXPECT_EQ(second.index.num_pairs(), 3u);
  EXPECT_EQ(second.index.source_sha256().size(), 64u);
}

TEST(ParaphraseCache, NoticesAnotherTableInTheSamePlace) {
  Cached files;
  load_paraphrases(files.table, files.cache);
  files.folder.write("paraphrase-en.gz", gzipped("0.5\nx\ny\n"));
  LoadedParaphrases again = load_paraphrases(files.table, files.cache);
  EXPECT_TRUE(again.was_built);
  EXPECT_EQ(again.index.num_pairs(), 1u);
}

TEST(ParaphraseCache, RebuildsWhateverByteIsDamaged) {
  Cached files;
  load_paraphrases(files.table, files.cache);
  std::string good = read_text_file(files.index_file());
  for (size_t at = 0; at < good.size(); at += at < 512 ? 61 : 4099) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    std::ofstream(files.index_file(), std::ios::binary | std::ios::trunc) << bad;
    LoadedParaphrases loaded = load_paraphrases(files.table, files.cache);
    EXPECT_EQ(loaded.index.num_pairs(), 3u) << "byte " << at;
    EXPECT_EQ(read_text_file(files.index_file()), good) << "byte " << at;
  }
}

TEST(ParaphraseCache, RebuildsACutOrForeignFile) {
  Cached files;
  load_paraphrases(files.table, files.cache);
  for (std::string bad : {std::string(),
                          std::string("foreign"),
                          read_text_file(files.index_file()).substr(0, 2000)}) {
    std::ofstream(files.index_file(), std::ios::binary | std::ios::trunc) << bad;
    EXPECT_EQ(load_paraphrases(files.table, files.cache).index.num_pairs(), 3u);
  }
}

TEST(ParaphraseCache, ServesFromMemoryWhenTheFolderCannotBeWritten) {
  Cached files;
  files.folder.write("cache", "a file where the folder should be");
  LoadedParaphrases loaded = load_paraphrases(files.table, files.cache);
  EXPECT_TRUE(loaded.was_built);
  EXPECT_FALSE(loaded.was_stored);
  EXPECT_EQ(loaded.index.num_pairs(), 3u);
}

TEST(ParaphraseCache, StillReportsADamagedTable) {
  Cached files;
  files.folder.write("paraphrase-en.gz", "damaged");
  EXPECT_THROW(load_paraphrases(files.table, files.cache), Error);
  EXPECT_THROW(load_paraphrases(files.folder.path() / "absent.gz", files.cache), Error);
}

}  // namespace
}  // namespace snellen::text::meteor
