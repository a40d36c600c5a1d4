// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/pairing.h"

#include <gmock/gmock.h>

#include "snellen/testing/dialog_files_fixture.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two images of ten rounds, written to the file in reverse order.
std::vector<KeyedEntry> all_rounds() {
  std::vector<KeyedEntry> entries;
  for (int i = 0; i < 20; ++i)
    entries.push_back({{100 + i / 10, i % 10}, static_cast<uint32_t>(19 - i)});
  return entries;
}

class PairingOf : public DialogFiles {};

TEST_F(PairingOf, SubsetsIsTheSameByKeyAndByPosition) {
  std::vector<DialogKey> references = {{100, 4}, {101, 9}};
  Pairing by_key = pair_by_key(references, all_rounds(), "refs.json");
  EXPECT_THAT(by_key.entries, ElementsAre(15, 0));
  EXPECT_EQ(by_key.num_unused, 18u);
  EXPECT_EQ(pair_by_position(references, all_rounds(), "refs.json").entries, by_key.entries);
}

TEST_F(PairingOf, OddSubsetsFailsOnlyByPosition) {
  std::vector<DialogKey> references = {{100, 4}, {100, 5}, {101, 9}};
  EXPECT_EQ(pair_by_key(references, all_rounds(), "refs.json").entries.size(), 3u);
  EXPECT_THAT(failure_of([&] { pair_by_position(references, all_rounds(), "refs.json"); }),
              HasSubstr("(100, 5)"));
}

TEST_F(PairingOf, MissingGenerationsNamesTheFirstFiveAndTheCount) {
  std::vector<DialogKey> references;
  for (int round = 0; round < 7; ++round) references.push_back({99, round});
  references.push_back({100, 0});
  EXPECT_THAT(
      failure_of([&] { pair_by_key(references, all_rounds(), "refs.json"); }),
      testing::StartsWith(
          "refs.json: 7 of 8 reference entries have no generations; first (image_id, round_id): "
          "(99, 0), (99, 1), (99, 2), (99, 3), (99, 4) ("));
}

}  // namespace
}  // namespace snellen::annotations
