// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/scene.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/scene_layout.h"

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

// Whether what a scene says of two of its things can be seen in where they stand, how they are
// turned and what hides what.
bool is_shown(const Scene& scene, const Relation& relation) {
  const Thing& subject = scene.things[relation.subject];
  const Thing& object = scene.things[relation.object];
  const Box& a = subject.box;
  const Box& b = object.box;
  auto place_in_order = [&](size_t thing) {
    return std::find(scene.order.begin(), scene.order.end(), thing) - scene.order.begin();
  };
  auto share_a_column = [](const Box& first, const Box& second) {
    return first.x0 < second.x1 && second.x0 < first.x1;
  };
  auto is_within = [](const Box& inner, const Box& outer) {
    return inner.center_x() > outer.x0 && inner.center_x() < outer.x1 && inner.y1 <= outer.y1;
  };
  const bool faces_object = subject.faces_left == (a.center_x() > b.center_x());
  switch (relation.predicate) {
    case Predicate::kLeftOf:
      return a.center_x() < b.center_x();
    case Predicate::kRightOf:
      return a.center_x() > b.center_x();
    case Predicate::kAbove:
      return a.center_y() < b.center_y();
    case Predicate::kBelow:
      return a.center_y() > b.center_y();
    case Predicate::kOn:
      return a.y1 < b.y1 && a.center_x() > b.x0 && a.center_x() < b.x1;
    case Predicate::kUnder:
      return a.center_y() > b.center_y() && share_a_column(a, b);
    case Predicate::kInside:
      return is_within(a, b);
    case Predicate::kContaining:
      return is_within(b, a);
    case Predicate::kBehind:
      return share_a_column(a, b) &&
             place_in_order(relation.subject) < place_in_order(relation.object);
    case Predicate::kInFrontOf:
      return share_a_column(a, b) &&
             place_in_order(relation.subject) > place_in_order(relation.object);
    case Predicate::kPulling:
      return !faces_object;
    case Predicate::kJumpingOver:
      return a.center_y() < b.center_y() && share_a_column(a, b);
    case Predicate::kChasing:
    case Predicate::kFollowing:
      return faces_object && subject.faces_left == object.faces_left;
    case Predicate::kPushing:
    case Predicate::kLookingAt:
    case Predicate::kKicking:
      return faces_object;
  }
  return false;
}

TEST(Scene, ShowsEveryRelationThatItSays) {
  std::set<Predicate> said;
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene({}, id);
    for (const Relation& relation : scene.relations) {
      said.insert(relation.predicate);
      EXPECT_TRUE(is_shown(scene, relation))
          << "scene " << id << ": " << nouns()[scene.things[relation.subject].noun].name << " "
          << words_of(relation.predicate).name << " "
          << nouns()[scene.things[relation.object].noun].name;
    }
  }
  EXPECT_EQ(said.size(), kNumPredicates);
}

// The check above can tell: none of these predicates is shown with the things exchanged.
TEST(Scene, DoesNotShowARelationTurnedRound) {
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene({}, id);
    const Relation& main = scene.relations.front();
    if (is_action(main.predicate)) continue;
    EXPECT_FALSE(is_shown(scene, {main.object, main.subject, main.predicate}))
        << "scene " << id << ": " << words_of(main.predicate).name;
  }
}

TEST(Scene, SaysAboveOnlyOfThingsThatDoNotStandOnOneGround) {
  for (uint64_t id = 0; id < kScenes; ++id) {
    const Scene scene = draw_scene({}, id);
    for (const Relation& relation : scene.relations) {
      if (relation.predicate != Predicate::kAbove && relation.predicate != Predicate::kBelow)
        continue;
      EXPECT_FALSE(scene.things[relation.subject].stands() &&
                   scene.things[relation.object].stands() &&
                   scene.relations.front().predicate != Predicate::kUnder)
          << "scene " << id;
    }
  }
}

TEST(Scene, CallsAThingSmallOrLargeByItsKind) {
  std::map<Size, int> seen;
  for (uint64_t id = 0; id < kScenes; ++id) {
    for (const Thing& thing : draw_scene({}, id).things) {
      const double share = std::max(thing.box.width(), thing.box.height()) / usual_side(thing.noun);
      ++seen[thing.look.size];
      const Size wanted = share < 0.8 ? Size::kSmall : share > 1.2 ? Size::kLarge : Size::kMedium;
      EXPECT_EQ(thing.look.size, wanted) << id << " " << nouns()[thing.noun].name;
    }
  }
  for (const Size size : {Size::kSmall, Size::kMedium, Size::kLarge}) EXPECT_GT(seen[size], 150);
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
