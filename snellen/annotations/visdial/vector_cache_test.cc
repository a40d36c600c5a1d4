// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/vector_cache.h"

#include <gmock/gmock.h>

#include "snellen/testing/dialog_files_fixture.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VectorCacheFile : public DialogFiles {
 protected:
  std::string failure(std::string_view json) const {
    std::filesystem::path path = write(json);
    return failure_of([&] { read_vector_cache(path); });
  }
};

TEST_F(VectorCacheFile, KeepsNumbersAsDoubles) {
  text::VectorTable table = read_vector_cache(write(
      R"({"note": [1, {}], "vectors": {"a \"b\"": [0.1, -2e-3], "\u00e9" : [ 3 , 4 ] }, "dim": 2})"));
  EXPECT_EQ(table.size(), 2u);
  EXPECT_THAT(table.find("a \"b\""), ElementsAre(0.1, -2e-3));
  EXPECT_THAT(table.find("é"), ElementsAre(3, 4));
}

TEST_F(VectorCacheFile, MayHoldNothing) {
  EXPECT_EQ(read_vector_cache(write(R"({"dim": 3, "vectors": {}})")).size(), 0u);
}

TEST_F(VectorCacheFile, NamesTheTextWhoseVectorIsWrong) {
  EXPECT_THAT(failure(R"({"dim": 2, "vectors": {"x": [1]}})"),
              HasSubstr("the vector of \"x\" has 1 numbers, expected 2"));
  EXPECT_THAT(failure(R"({"dim": 1, "vectors": {"x": [NaN]}})"),
              HasSubstr("\"x\" holds something that is not a finite number"));
  EXPECT_THAT(failure(R"({"dim": 1, "vectors": {"x": [1e999]}})"),
              HasSubstr("not a finite number"));
  EXPECT_THAT(failure(R"({"dim": 1, "vectors": {"x": ["1"]}})"), HasSubstr("not a finite number"));
}

TEST_F(VectorCacheFile, RefusesOtherShapes) {
  EXPECT_THAT(failure("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(failure(R"({"vectors": {}})"), HasSubstr("'dim' is missing"));
  EXPECT_THAT(failure(R"({"dim": 2})"), HasSubstr("'vectors' is missing"));
  EXPECT_THAT(failure(R"({"dim": 0, "vectors": {}})"), HasSubstr("\"dim\" is 0"));
  EXPECT_THAT(failure(R"({"dim": 1, "vectors": [1]})"), HasSubstr("expected '{' in \"vectors\""));
  EXPECT_THAT(failure(R"({"dim": 1, "vectors": {"x": [1] "y": [1]}})"), HasSubstr("expected ','"));
}

}  // namespace
}  // namespace snellen::annotations
