// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/scene.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

constexpr uint64_t kScenes = 600;

TEST(Scene, IsTheSameForTheSameSeedAndIdOnly) {
  const Scene first = draw_scene({}, 7);
  const Scene again = draw_scene({}, 7);
  EXPECT_EQ(first.relations, again.relations);
  EXPECT_EQ(first.backdrop, again.backdrop);
  SceneRules other;
  other.seed = 1;
  EXPECT_FALSE(first.backdrop == draw_scene(other, 7).backdrop);
  EXPECT_FALSE(first.backdrop == draw_scene({}, 8).backdrop);
}

TEST(Scene, HasTwoToFiveDifferentThingsInsideThePicture) {
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene({}, id);
    ASSERT_GE(scene.things.size(), 2U);
    ASSERT_LE(scene.things.size(), 5U);
    std::set<size_t> seen;
    for (const Thing& thing : scene.things) {
      EXPECT_TRUE(seen.insert(thing.noun).second);
      EXPECT_GT(thing.box.x0, -0.02) << id << " " << nouns()[thing.noun].name;
      EXPECT_LT(thing.box.x1, 1.02) << id << " " << nouns()[thing.noun].name;
      EXPECT_GT(thing.box.y0, -0.02) << id << " " << nouns()[thing.noun].name;
      EXPECT_LT(thing.box.y1, 1.03) << id << " " << nouns()[thing.noun].name;
      EXPECT_GT(thing.box.width() * thing.box.height(), 0.0015)
          << id << " " << nouns()[thing.noun].name;
    }
  }
}

TEST(Scene, ShowsEveryPredicateAndSaysItsInverse) {
  std::set<Predicate> shown;
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene({}, id);
    for (const Relation& relation : scene.relations) {
      shown.insert(relation.predicate);
      ASSERT_NE(relation.subject, relation.object);
    }
    const Relation& main = scene.relations.front();
    if (const auto inverse = inverse_of(main.predicate)) {
      EXPECT_EQ(scene.relations[1], (Relation{main.object, main.subject, *inverse}));
    }
  }
  EXPECT_EQ(shown.size(), kNumPredicates);
}

TEST(Scene, SaysWhatTheBoxesShow) {
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene({}, id);
    for (const Relation& relation : scene.relations) {
      const Box& subject = scene.things[relation.subject].box;
      const Box& object = scene.things[relation.object].box;
      if (relation.predicate == Predicate::kLeftOf) {
        EXPECT_LT(subject.center_x(), object.center_x());
      } else if (relation.predicate == Predicate::kAbove) {
        EXPECT_LT(subject.center_y(), object.center_y());
      } else if (relation.predicate == Predicate::kOn) {
        EXPECT_LT(subject.y1, object.y1);
      }
    }
  }
}

TEST(Scene, WithHabitsNeverTurnsAPairRound) {
  SceneRules rules;
  rules.has_habits = true;
  std::set<std::pair<size_t, size_t>> left_of;
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene(rules, id);
    for (const Relation& relation : scene.relations) {
      if (relation.predicate != Predicate::kLeftOf) continue;
      left_of.emplace(scene.things[relation.subject].noun, scene.things[relation.object].noun);
    }
  }
  EXPECT_GT(left_of.size(), 200U);
  for (const auto& [first, second] : left_of) EXPECT_FALSE(left_of.contains({second, first}));
}

TEST(ShownBetween, NeedsAClearDistance) {
  EXPECT_EQ(shown_between({0, 0, 1, 1}, {2, 0, 3, 1}), Predicate::kLeftOf);
  EXPECT_EQ(shown_between({2, 0, 3, 1}, {0, 0, 1, 1}), Predicate::kRightOf);
  EXPECT_EQ(shown_between({0, 0, 1, 1}, {0, 2, 1, 3}), Predicate::kAbove);
  EXPECT_EQ(shown_between({0, 0, 1, 1}, {2, 2, 3, 3}), std::nullopt);      // diagonal
  EXPECT_EQ(shown_between({0, 0, 1, 1}, {0.5, 0, 1.5, 1}), std::nullopt);  // overlapping
}

}  // namespace
}  // namespace snellen::eyechart
