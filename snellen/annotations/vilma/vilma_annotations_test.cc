// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VilmaAnnotationsTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view json) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto path = std::filesystem::path(testing::TempDir()) /
                      (std::string("vilma_annotations_") + test->name()) / name;
    write_text_file(path, json);
    return path;
  }
};

constexpr const char* kItem = R"({"caption": "a", "foils": ["b"]})";

std::string file_of(std::initializer_list<const char*> ids) {
  std::string json = "{";
  for (const char* id : ids)
    json += (json.size() > 1 ? ",\n" : "") + std::string("\"") + id + "\": " + kItem;
  return json + "}";
}

std::vector<std::string> ids_of(const VilmaAnnotations& all) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < all.size(); ++i) ids.emplace_back(all.id(i));
  return ids;
}

TEST_F(VilmaAnnotationsTest, OrdersIdsByBytes) {
  const std::vector<std::filesystem::path> files = {
      write("a.json", file_of({"9", "10", "1", "101", "100"}))};
  EXPECT_THAT(ids_of(VilmaAnnotations(files)), ElementsAre("1", "10", "100", "101", "9"));
}

TEST_F(VilmaAnnotationsTest, UnitesFilesWithDisjointIds) {
  const std::vector<std::filesystem::path> files = {write("a.json", file_of({"2", "0"})),
                                                    write("b.json", file_of({"1"}))};
  const VilmaAnnotations all(files);
  EXPECT_THAT(ids_of(all), ElementsAre("0", "1", "2"));
  EXPECT_EQ(all.item(1).value().id, "1");
  EXPECT_THAT(all.where(1), HasSubstr("b.json"));
}

TEST_F(VilmaAnnotationsTest, NamesBothFilesOfAClash) {
  const std::vector<std::filesystem::path> files = {write("a.json", file_of({"7"})),
                                                    write("b.json", file_of({"7"}))};
  try {
    const VilmaAnnotations all(files);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("item '7' is in "));
    EXPECT_THAT(error.message(), HasSubstr("a.json"));
    EXPECT_THAT(error.message(), HasSubstr("b.json"));
  }
}

TEST_F(VilmaAnnotationsTest, ABadItemIsAnErrorOfThatItemOnly) {
  const std::vector<std::filesystem::path> files = {
      write("a.json", R"({"x": {"caption": "a"}, "y": {"caption": "a", "foils": ["b"]}})")};
  const VilmaAnnotations all(files);
  EXPECT_FALSE(all.item(0).is_ok());
  EXPECT_TRUE(all.item(1).is_ok());
}

TEST_F(VilmaAnnotationsTest, RefusesAList) {
  const std::vector<std::filesystem::path> files = {write("a.json", "[]")};
  EXPECT_THROW((VilmaAnnotations(files)), Error);
}

TEST(VilmaPlace, IsToldByFileNameThenIdThenPhenomenon) {
  VilmaItem item;
  EXPECT_EQ(vilma_place_of("x/counting-easy-spelled-pts.json", item)->task, "action_counting");
  EXPECT_EQ(vilma_place_of("SRL_Actor_Swapping.json", item)->subtask, "actor-swapping");
  EXPECT_EQ(vilma_place_of("relations.json", item)->task, "spatial_relations");
  EXPECT_FALSE(vilma_place_of("mine.json", item).has_value());
  item.phenomenon = "actions";
  EXPECT_EQ(vilma_place_of("mine.json", item)->task, "rare_actions");
  item.id = "change-state-inverse-0001";
  EXPECT_EQ(vilma_place_of("mine.json", item)->subtask, "change-state-inverse");
}

}  // namespace
}  // namespace snellen::annotations
