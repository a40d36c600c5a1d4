// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/references.h"

#include <gmock/gmock.h>

#include "snellen/testing/dialog_files_fixture.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;

class ReferencesFile : public DialogFiles {
 protected:
  std::string failure(std::string_view json) const {
    std::filesystem::path path = write(json);
    return failure_of([&] { read_references(path); });
  }
};

TEST_F(ReferencesFile, LieInKeyOrderWithEachAnswerKeptOnce) {
  References references = read_references(write(R"([
    {"image_id": 7, "round_id": 3, "refs": ["yes", "no", "yes"], "question": "q"},
    {"image_id": 7, "round_id": 0, "refs": ["no"]}])"));
  EXPECT_THAT(references.keys, ElementsAre(DialogKey{7, 0}, DialogKey{7, 3}));
  EXPECT_THAT(references.sets.ids(0), ElementsAre(0));
  EXPECT_THAT(references.sets.ids(1), ElementsAre(1, 0, 1));
  EXPECT_EQ(references.sets.pool().size(), 2u);
  EXPECT_EQ(references.sets.pool()[0], "no");
}

TEST_F(ReferencesFile, RefusesEmptySetsBadMasksAndRepeats) {
  EXPECT_EQ(failure(R"([{"image_id": 7, "round_id": 3, "refs": []}])"),
            "f.json: entry 0: 'refs' is empty");
  EXPECT_EQ(
      failure(R"([{"image_id": 7, "round_id": 3, "refs": ["a"], "in_cluster_idxs": [0, 1]}])"),
      "f.json: entry 0: 'in_cluster_idxs' is not 100 values 0 or 1");
  std::string mask = "2";
  for (int i = 1; i < 100; ++i) mask += ",0";
  EXPECT_EQ(failure(R"([{"image_id": 7, "round_id": 3, "refs": ["a"], "in_cluster_idxs": [)" +
                    mask + "]}]"),
            "f.json: entry 0: 'in_cluster_idxs' is not 100 values 0 or 1");
  EXPECT_EQ(
      failure(
          R"([{"image_id": 7, "round_id": 3, "refs": ["a"]}, {"image_id": 7, "round_id": 3, "refs": ["b"]}])"),
      "f.json: entry 1: image_id 7 round_id 3 was given before, in entry 0");
}

}  // namespace
}  // namespace snellen::annotations
