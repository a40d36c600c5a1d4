// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/scene.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/scene_draws.h"
#include "snellen/eyechart/world/scene_layout.h"

namespace snellen::eyechart {
namespace {

constexpr int kPlacingAttempts = 40;
constexpr double kAllowedOverlap = 0.12;  // of the smaller box, for things beside the pair

double shared(double a0, double a1, double b0, double b1) {
  return std::max(0.0, std::min(a1, b1) - std::max(a0, b0));
}

double overlap_of(const Box& a, const Box& b) {
  const double area = shared(a.x0, a.x1, b.x0, b.x1) * shared(a.y0, a.y1, b.y0, b.y1);
  return area / std::min(a.width() * a.height(), b.width() * b.height());
}

// Small and large are said of a thing that is drawn so, measured against its kind.
Size drawn_size(const Thing& thing) {
  if (thing.copies > 1) return Size::kSmall;
  const double share = std::max(thing.box.width(), thing.box.height()) / usual_side(thing.noun);
  return share < 0.8 ? Size::kSmall : share > 1.2 ? Size::kLarge : Size::kMedium;
}

bool keeps_habit(const Thing& subject, const Thing& object, Predicate predicate) {
  switch (predicate) {
    case Predicate::kLeftOf:
      return is_usual_order(subject.noun, object.noun, UsualOrder::kHorizontal);
    case Predicate::kRightOf:
      return !is_usual_order(subject.noun, object.noun, UsualOrder::kHorizontal);
    case Predicate::kAbove:
      return is_usual_order(subject.noun, object.noun, UsualOrder::kVertical);
    case Predicate::kBelow:
      return !is_usual_order(subject.noun, object.noun, UsualOrder::kVertical);
    case Predicate::kBehind:
      return is_usual_order(subject.noun, object.noun, UsualOrder::kDepth);
    case Predicate::kInFrontOf:
      return !is_usual_order(subject.noun, object.noun, UsualOrder::kDepth);
    default:
      return true;
  }
}

class SceneDrawer {
 public:
  SceneDrawer(const SceneRules& rules, uint64_t id)
      : rules_(rules), rng_(Rng(rules.seed).fork("eyechart-scene").fork(id)) {
    scene_.id = id;
  }

  Scene draw() {
    scene_.backdrop = draw_backdrop(rng_);
    const size_t wanted = draw_count();
    draw_pair(wanted);
    for (size_t i = 2; i < wanted; ++i) add_bystander(wanted);
    if (rules_.has_crowds && rng_.below(12) == 0) add_crowd();
    for (Thing& thing : scene_.things) thing.look.size = drawn_size(thing);
    find_relations();
    find_order();
    return std::move(scene_);
  }

 private:
  size_t draw_count() {
    const uint64_t drawn = rng_.below(100);
    const size_t count = drawn < 30 ? 2 : drawn < 65 ? 3 : drawn < 87 ? 4 : 5;
    return std::clamp(
        count, std::max<size_t>(2, rules_.min_things), std::max<size_t>(2, rules_.max_things));
  }

  Thing draw_thing(size_t noun) {
    Thing thing;
    thing.noun = noun;
    thing.look = draw_look(rng_, nouns()[noun]);
    thing.faces_left = rng_.below(2) == 0 && !nouns()[noun].can(kWritten);
    return thing;
  }

  void draw_pair(size_t num_things) {
    Predicate predicate = rules_.predicate ? *rules_.predicate : draw_predicate(rng_);
    auto can_be_either = [&](const Noun& noun) {
      return can_be_object(noun, predicate) && can_be_subject(noun, predicate);
    };
    const size_t object = draw_noun(rng_, [&](const Noun& noun) {
      return rules_.is_reversible ? can_be_either(noun) : can_be_object(noun, predicate);
    });
    const size_t subject = draw_noun(rng_, [&](const Noun& noun) {
      return (rules_.is_reversible ? can_be_either(noun) : can_be_subject(noun, predicate)) &&
             noun.name != nouns()[object].name;
    });
    // One after the other: the order of an initialiser's draws is to be seen.
    const Thing first = draw_thing(subject);
    const Thing second = draw_thing(object);
    scene_.things = {first, second};
    if (rules_.is_reversed) std::swap(scene_.things[0], scene_.things[1]);
    if (rules_.has_habits) keep_habits(predicate);
    prepare_object(predicate);
    lay_out_pair(rng_, scene_, predicate, num_things);
    main_ = {0, 1, predicate};
    if (predicate == Predicate::kInside) scene_.holding = main_;
  }

  // The pair's own direction: the predicate turns round, or the roles of an action.
  void keep_habits(Predicate& predicate) {
    Thing& subject = scene_.things[0];
    Thing& object = scene_.things[1];
    if (!keeps_habit(subject, object, predicate)) predicate = *inverse_of(predicate);
    if (is_action(predicate) && can_be_subject(nouns()[object.noun], predicate) &&
        can_be_object(nouns()[subject.noun], predicate) &&
        !is_usual_order(subject.noun, object.noun, UsualOrder::kActor)) {
      std::swap(subject, object);
    }
  }

  // A box that holds something is open, a closed umbrella shelters nobody.
  void prepare_object(Predicate predicate) {
    Thing& object = scene_.things[1];
    const Noun& noun = nouns()[object.noun];
    if (predicate == Predicate::kInside) {
      object.look.state = noun.can(kOpens) ? 1 : 0;
      object.faces_left = false;
      if (object.look.size == Size::kSmall) object.look.size = Size::kMedium;
    }
    if (predicate == Predicate::kUnder && noun.can(kOpens)) object.look.state = 1;
    if (predicate == Predicate::kUnder) object.faces_left = false;
    if (predicate == Predicate::kOn && noun.can(kOpens)) object.look.state = 0;
    const bool is_small_bearer = predicate == Predicate::kOn || predicate == Predicate::kUnder;
    if (is_small_bearer && object.look.size == Size::kSmall) object.look.size = Size::kMedium;
  }

  void add_bystander(size_t num_things) {
    const size_t noun = draw_noun(rng_, [&](const Noun& each) {
      return std::none_of(scene_.things.begin(), scene_.things.end(), [&](const Thing& thing) {
        return nouns()[thing.noun].name == each.name;
      });
    });
    Thing thing = draw_thing(noun);
    try_to_place(thing, side_of(thing, num_things) * 0.92);
  }

  void add_crowd() {
    constexpr std::array<std::string_view, 5> kCrowds = {
        "sheep", "bird", "apple", "book", "person"};
    const size_t noun = *noun_index(kCrowds.at(rng_.below(kCrowds.size())));
    for (const Thing& thing : scene_.things) {
      if (thing.noun == noun) return;
    }
    Thing thing = draw_thing(noun);
    thing.look.size = Size::kSmall;
    thing.copies = 5 + rng_.below(3);
    for (int attempt = 0; attempt < kPlacingAttempts; ++attempt) {
      const double x = 0.04 + 0.56 * rng_.u01();
      const double y = scene_.backdrop.horizon + 0.02 + 0.2 * rng_.u01();
      thing.box = {x, y - 0.13, x + 0.36, y + 0.05};
      if (is_free(thing)) return scene_.things.push_back(thing);
    }
  }

  void try_to_place(Thing& thing, double side) {
    const bool is_flying = nouns()[thing.noun].can(kFlies) && rng_.below(2) == 0;
    for (int attempt = 0; attempt < kPlacingAttempts; ++attempt) {
      if (attempt == kPlacingAttempts / 2) side *= 0.8;
      const double horizon = scene_.backdrop.horizon;
      const double base = is_flying ? 0.05 + side + (horizon - 0.1) * rng_.u01()
                                    : horizon + 0.06 + (0.975 - horizon - 0.06) * rng_.u01();
      const double aspect = aspect_of(thing.noun, thing.look);
      const double half = (aspect >= 1 ? side : side * aspect) / 2;
      thing.box = box_at(thing, side, 0.025 + half + rng_.u01() * (0.95 - 2 * half), base);
      thing.lift = is_flying ? std::max(horizon, thing.box.y1) + 0.12 - thing.box.y1 : 0;
      if (thing.box.y0 > 0.02 && is_free(thing)) return scene_.things.push_back(thing);
    }
  }

  bool is_free(const Thing& thing) const {
    return std::all_of(scene_.things.begin(), scene_.things.end(), [&](const Thing& other) {
      if (overlap_of(thing.box, other.box) > kAllowedOverlap) return false;
      const auto shown = shown_between(thing, other);
      return !rules_.has_habits || !shown || keeps_habit(thing, other, *shown);
    });
  }

  void add_relation(const Relation& relation) {
    if (std::find(scene_.relations.begin(), scene_.relations.end(), relation) ==
        scene_.relations.end()) {
      scene_.relations.push_back(relation);
    }
  }

  void find_relations() {
    add_relation(main_);
    if (const auto inverse = inverse_of(main_.predicate)) {
      add_relation({main_.object, main_.subject, *inverse});
    }
    const bool is_joint = !is_action(main_.predicate) && static_cast<size_t>(main_.predicate) >= 4;
    for (size_t i = 0; i < scene_.things.size(); ++i) {
      for (size_t j = i + 1; j < scene_.things.size(); ++j) {
        if (i == 0 && j == 1 && is_joint) continue;
        const auto shown = shown_between(scene_.things[i], scene_.things[j]);
        if (!shown) continue;
        // An action's pair keeps its habit only where it can: what is seen is not written then.
        if (rules_.has_habits && !keeps_habit(scene_.things[i], scene_.things[j], *shown)) continue;
        add_relation({i, j, *shown});
        add_relation({j, i, *inverse_of(*shown)});
      }
    }
  }

  // Far to near by where things stand; of a joint pair as its predicate says.
  void find_order() {
    std::vector<size_t>& order = scene_.order;
    for (size_t i = 0; i < scene_.things.size(); ++i) {
      if (!scene_.holding || i != scene_.holding->subject) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return scene_.things[a].box.y1 < scene_.things[b].box.y1;
    });
    auto put_before = [&](size_t far, size_t near) {
      const auto far_at = std::find(order.begin(), order.end(), far);
      const auto near_at = std::find(order.begin(), order.end(), near);
      if (far_at > near_at) std::rotate(near_at, far_at, far_at + 1);
    };
    const bool subject_is_far = main_.predicate == Predicate::kBehind;
    const bool object_is_far = main_.predicate == Predicate::kInFrontOf ||
                               main_.predicate == Predicate::kOn ||
                               main_.predicate == Predicate::kUnder;
    if (subject_is_far) put_before(main_.subject, main_.object);
    if (object_is_far) put_before(main_.object, main_.subject);
  }

  const SceneRules& rules_;
  Rng rng_;
  Scene scene_;
  Relation main_;
};

}  // namespace

Scene draw_scene(const SceneRules& rules, uint64_t id) {
  return SceneDrawer(rules, id).draw();
}

bool is_usual_order(size_t first_noun, size_t second_noun, UsualOrder order) {
  const size_t low = std::min(first_noun, second_noun);
  const size_t high = std::max(first_noun, second_noun);
  const auto key =
      fmt::format("habit|{}|{}|{}", nouns()[low].name, nouns()[high].name, static_cast<int>(order));
  const bool low_is_first = (fnv1a64(key) >> 17 & 1) != 0;
  return low_is_first == (first_noun == low);
}

std::optional<Predicate> shown_between(const Thing& subject, const Thing& object) {
  const auto shown = shown_between(subject.box, object.box);
  const bool is_vertical = shown == Predicate::kAbove || shown == Predicate::kBelow;
  if (is_vertical && subject.stands() && object.stands()) return std::nullopt;
  return shown;
}

std::optional<Predicate> shown_between(const Box& subject, const Box& object) {
  const double dx = object.center_x() - subject.center_x();
  const double dy = object.center_y() - subject.center_y();
  const bool is_apart_x = shared(subject.x0, subject.x1, object.x0, object.x1) <=
                          0.25 * std::min(subject.width(), object.width());
  const bool is_apart_y = shared(subject.y0, subject.y1, object.y0, object.y1) <=
                          0.25 * std::min(subject.height(), object.height());
  if (is_apart_x && std::abs(dx) >= 1.2 * std::abs(dy)) {
    return dx > 0 ? Predicate::kLeftOf : Predicate::kRightOf;
  }
  if (is_apart_y && std::abs(dy) >= 1.2 * std::abs(dx)) {
    return dy > 0 ? Predicate::kAbove : Predicate::kBelow;
  }
  return std::nullopt;
}

double aspect_of(size_t noun, const Look& look) {
  const Box box = sketch_of(noun, look).box();
  return box.width() / box.height();
}

}  // namespace snellen::eyechart
