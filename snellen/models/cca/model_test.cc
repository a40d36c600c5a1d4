// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/formats/npy.h"
#include "snellen/testing/asked_pairs.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_cca();
namespace {

namespace fs = std::filesystem;

// A folder whose common space is the one of the word vectors.
fs::path write_folder() {
  fs::path folder = fs::temp_directory_path() / "snellen_cca_model_test";
  fs::create_directories(folder);
  write_text_file(folder / "cca.json",
                  R"({"format": "snellen-cca", "version": 1, "method": "generalised", "power": 1,
                      "eps": 0, "rows": 2, "views": ["answer", "question"], "sources": [],
                      "vocabulary": ["<PAD>", "<EOS>", "<UNK>", "yes", "no", "sunny"]})");
  formats::write_npy(
      folder / "word_vectors.npy", std::vector<double>{0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0}, 6, 2);
  formats::write_npy(folder / "eigenvalues.npy", std::vector<double>{1, 1}, 1, 2);
  for (const char* view : {"answer", "question"}) {
    formats::write_npy(folder / (std::string(view) + "_mean.npy"), std::vector<double>{0, 0}, 1, 2);
    formats::write_npy(
        folder / (std::string(view) + "_weights.npy"), std::vector<double>{1, 0, 0, 1}, 2, 2);
  }
  return folder;
}

TEST(Cca, ScoresAnAnswerByItsCosineWithTheQuestion) {
  const fs::path folder = write_folder();
  const auto model = make_cca()->open({.argument = folder.string()});
  const snellen::testing::AskedPairs asked(
      {{"v", "sunny\nyes"}, {"v", "sunny\nno"}, {"v", "sunny\nyes no"}});
  const std::vector<double> scores = asked.scored_by(*model)->values;
  EXPECT_EQ(scores, (std::vector<double>{1, 0, 0.707106781}));
  EXPECT_EQ(asked.scored_by(*model)->values, scores);
  const std::vector<snellen::testing::NamedPair> one_line = {{"v", "a dog"}};
  EXPECT_FALSE(snellen::testing::AskedPairs(one_line).scored_by(*model));
  fs::remove_all(folder);
}

TEST(Cca, RefusesAFolderThatIsNone) {
  EXPECT_THROW(make_cca()->open({.argument = "/nonexistent"}), Error);
  EXPECT_THROW(make_cca()->open({}), Error);
}

}  // namespace
}  // namespace snellen::models
