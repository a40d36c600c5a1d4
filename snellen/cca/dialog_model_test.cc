// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/dialog_model.h"

#include <filesystem>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/npy.h"

namespace snellen::cca {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class CcaFolder : public testing::Test {
 protected:
  CcaFolder() : folder_(fs::path(testing::TempDir()) / "snellen_cca_folder_test") {
    fs::remove_all(folder_);
    write("word_vectors", 4, 3);
    write("eigenvalues", 1, 2);
    for (const char* view : {"answer", "question"}) {
      write(std::string(view) + "_mean", 1, 3);
      write(std::string(view) + "_weights", 3, 2);
    }
    describe(description_);
  }
  ~CcaFolder() override { fs::remove_all(folder_); }

  void write(const std::string& name, uint64_t rows, uint64_t columns) {
    const std::vector<double> values(rows * columns, 0.5);
    formats::write_npy(folder_ / (name + ".npy"), std::span<const double>(values), rows, columns);
  }
  void describe(const Json& json) { write_text_file(folder_ / "cca.json", json.dump()); }
  std::string refusal() {
    try {
      DialogModel::read(folder_);
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  }

  fs::path folder_;
  Json description_ = {{"format", "snellen-cca"},
                       {"version", 1},
                       {"method", "mardia"},
                       {"power", 1},
                       {"eps", 0.001},
                       {"rows", 9},
                       {"views", {"answer", "question"}},
                       {"sources", Json::array()},
                       {"vocabulary", {"<PAD>", "<EOS>", "<UNK>", "yes"}}};
};

TEST_F(CcaFolder, IsRead) {
  EXPECT_EQ(refusal(), "taken");
}

// Each was a crash, or could have been: what is missing after the matrices were read freed them
// twice (GCC 12).
TEST_F(CcaFolder, WithoutAMemberIsRefused) {
  for (const auto& [name, value] : description_.items()) {
    if (name == "version") continue;
    Json json = description_;
    json.erase(name);
    describe(json);
    EXPECT_NE(refusal(), "taken") << name;
    json[name] = Json::object({{"a", 1}});
    describe(json);
    EXPECT_NE(refusal(), "taken") << name;
  }
}

TEST_F(CcaFolder, WithOtherShapesIsRefused) {
  write("eigenvalues", 0, 2);
  EXPECT_THAT(refusal(), HasSubstr("one row of eigenvalues"));
  write("eigenvalues", 1, 3);
  EXPECT_THAT(refusal(), HasSubstr("do not fit"));
  write("eigenvalues", 1, 2);
  write("word_vectors", 3, 3);
  EXPECT_NE(refusal(), "taken");
}

}  // namespace
}  // namespace snellen::cca
