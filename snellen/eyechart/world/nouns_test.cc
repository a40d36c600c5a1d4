// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/nouns.h"

#include <set>

#include <gtest/gtest.h>

#include "snellen/eyechart/write/coco_rows.h"

namespace snellen::eyechart {
namespace {

TEST(Nouns, AreManyAndMostlyCocos) {
  std::set<std::string_view> names;
  int num_coco = 0;
  for (const Noun& noun : nouns()) {
    EXPECT_TRUE(names.insert(noun.name).second) << noun.name;
    num_coco += coco_category_id(noun.name) ? 1 : 0;
  }
  EXPECT_GE(names.size(), 70U);
  EXPECT_GE(num_coco, 55);
}

TEST(Nouns, AreDrawnOnTheirGridInEveryState) {
  for (size_t i = 0; i < nouns().size(); ++i) {
    for (const double state : {0.0, 0.5, 1.0}) {
      Look look;
      look.state = state;
      const Box box = sketch_of(i, look).box();
      EXPECT_GE(box.x0, -12) << nouns()[i].name;
      EXPECT_LE(box.x1, 112) << nouns()[i].name;
      EXPECT_GE(box.y0, -20) << nouns()[i].name;
      EXPECT_LE(box.y1, 104) << nouns()[i].name;
      EXPECT_GT(box.width(), 5) << nouns()[i].name;
    }
  }
}

TEST(Nouns, HaveWhatTheirAbilitiesNeed) {
  for (const Noun& noun : nouns()) {
    if (noun.can(kHolds) || noun.can(kShelters)) {
      EXPECT_GT(noun.hollow.width(), 20) << noun.name;
    }
    if (noun.can(kBears)) {
      EXPECT_GT(noun.top, 0) << noun.name;
    }
    if (noun.can(kHolds)) {
      Look look;
      EXPECT_LT(sketch_of(*noun_index(noun.name), look).first_in_front(), SIZE_MAX) << noun.name;
    }
  }
}

TEST(Nouns, AreFoundByName) {
  EXPECT_EQ(nouns()[*noun_index("teddy bear")].name, "teddy bear");
  EXPECT_FALSE(noun_index("dragon"));
}

}  // namespace
}  // namespace snellen::eyechart
