// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/generations.h"

#include <gmock/gmock.h>

#include "snellen/testing/dialog_files_fixture.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class GenerationsFile : public DialogFiles {
 protected:
  std::string failure(std::string_view json) const {
    std::filesystem::path path = write(json);
    return failure_of([&] { Generations{path}; });
  }
};

TEST_F(GenerationsFile, SortsKeysAndReadsTextsFromTheirPlaces) {
  Generations generations(write(R"([
    {"image_id": 7, "round_id": 3, "generations": ["b", "\u00e9\n"], "other": {}},
    {"image_id": 7, "round_id": 0, "generations": []},
    {"image_id": -2, "round_id": 9, "generations": ["c"]}])"));
  ASSERT_EQ(generations.size(), 3u);
  EXPECT_EQ(generations.entries()[0].key, (DialogKey{-2, 9}));
  EXPECT_EQ(generations.entries()[1].entry, 1u);
  EXPECT_THAT(generations.texts(0), ElementsAre("b", "é\n"));
  EXPECT_THAT(generations.texts(1), IsEmpty());
}

TEST_F(GenerationsFile, NamesFileEntryAndReason) {
  EXPECT_THAT(failure(R"({"image_id": 7})"), StartsWith("f.json: the top level is an object"));
  EXPECT_THAT(failure("["), HasSubstr("not valid JSON"));
  EXPECT_EQ(failure(R"([{"image_id": 1, "round_id": 0, "generations": ["a"]}, 5])"),
            "f.json: entry 1: is a number, expected an object");
  EXPECT_EQ(failure(R"([{"round_id": 0, "generations": ["a"]}])"),
            "f.json: entry 0: key 'image_id' is missing");
  EXPECT_EQ(failure(R"([{"image_id": 1, "round_id": 10, "generations": ["a"]}])"),
            "f.json: entry 0: 'round_id' is 10, expected 0 to 9");
  EXPECT_EQ(failure(R"([{"image_id": 1, "round_id": 1.0, "generations": ["a"]}])"),
            "f.json: entry 0: 'round_id' is a number, expected a whole number");
  EXPECT_EQ(failure(R"([{"image_id": 1, "round_id": 1, "generations": ["a", 2]}])"),
            "f.json: entry 0: 'generations' holds a number at place 1, expected texts");
}

TEST_F(GenerationsFile, ChecksEveryEntryBeforeRepeats) {
  EXPECT_EQ(failure(R"([{"image_id": 1, "round_id": 1, "generations": ["a"]},
                        {"image_id": 1, "round_id": 1, "generations": ["b"]},
                        {"image_id": 1, "round_id": 2, "generations": "c"}])"),
            "f.json: entry 2: 'generations' is a text, expected a list");
  EXPECT_EQ(failure(R"([{"image_id": 9, "round_id": 1, "generations": ["a"]},
                        {"image_id": 9, "round_id": 1, "generations": ["b"]},
                        {"image_id": 1, "round_id": 1, "generations": ["b"]},
                        {"image_id": 1, "round_id": 1, "generations": ["b"]}])"),
            "f.json: entry 1: image_id 9 round_id 1 was given before, in entry 0");
}

TEST_F(GenerationsFile, SaysWhenThereIsNoFile) {
  EXPECT_THROW(Generations{"no/such/file.json"}, Error);
}

}  // namespace
}  // namespace snellen::annotations
