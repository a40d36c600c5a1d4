// SPDX-License-Identifier: Apache-2.0
// Spatial relations: a thing is moved with respect to another, in the form of
// Something-Something-v2.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/scene_draws.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 12;
constexpr double kSeconds = 3;

// Two that are never seen at once, and that one thing can stand still for: one is the caption of a
// clip and the foil of the next, the other the reverse.
using Prepositions = std::array<std::string_view, 2>;

constexpr std::array kPrepositions = {
    Prepositions{"towards", "away from"},
    Prepositions{"behind", "in front of"},
    Prepositions{"onto", "under"},
    Prepositions{"into", "over"},
    Prepositions{"onto", "away from"},
    Prepositions{"under", "over"},
    Prepositions{"into", "away from"},
    Prepositions{"over", "behind"},
};

// Which things can stand still while another moves so.
bool suits(std::string_view preposition, const Noun& noun) {
  if (preposition == "onto") return noun.can(kBears) && noun.name != "box" && noun.size >= 0.4;
  if (preposition == "under") return noun.name == "dining table" || noun.name == "umbrella";
  if (preposition == "into") return noun.can(kHolds);
  return !noun.can(kActs) && noun.size >= 0.3;
}

// The height of a place on the standing thing's grid, as a share of the picture.
double height_on(const Actor& actor, double base, double grid_y) {
  const Box box = sketch_of(actor.noun, actor.look).box();
  const double scale = actor.side / std::max(box.width(), box.height());
  return base - (box.y1 - grid_y) * scale;
}

ClipScript script_of(Rng& rng, std::string_view preposition, Actor moving, Actor standing) {
  ClipScript script;
  script.frames_per_second = kRate;
  script.num_frames = static_cast<int>(kRate * kSeconds) + 1;
  script.backdrop = drawn_clip_backdrop(rng);
  constexpr double kBase = 0.9;
  const Noun& noun = nouns()[standing.noun];
  const double state = standing.look.state;
  standing.keys = {{0, 0.62, kBase, 0, state}};
  moving.side = 0.2;
  const Key start{0.3, 0.14, kBase};
  std::vector<Key> keys = {start};
  bool is_first = false;  // painted before the standing thing
  if (preposition == "onto" || preposition == "into") {
    const bool is_into = preposition == "into";
    const double end =
        is_into ? height_on(standing, kBase, noun.hollow.y1) : height_on(standing, kBase, noun.top);
    keys.push_back({1.2, 0.62, end - 0.2});
    keys.push_back({2.4, 0.62, end});
    if (is_into) {
      script.holding = Relation{1, 0, Predicate::kInside};
      script.held_from = 1.3;
    }
  } else if (preposition == "under") {
    moving.side = 0.17;
    const double x = noun.name == "umbrella" ? 0.74 : 0.62;
    keys.push_back({2.4, x, kBase + 0.02});
    is_first = true;
  } else if (preposition == "behind") {
    moving.side = 0.3;
    keys.push_back({2.4, 0.58, kBase - 0.12});
    is_first = true;
  } else if (preposition == "in front of") {
    keys.push_back({2.4, 0.60, kBase + 0.07});
  } else if (preposition == "towards") {
    keys.push_back({2.4, 0.36, kBase});
  } else if (preposition == "away from") {
    keys = {{0.3, 0.38, kBase}, {2.4, 0.1, kBase}};
  } else {
    standing.side = std::min(standing.side, 0.34);
    keys.push_back({1.3, 0.60, 0.45});
    keys.push_back({2.5, 0.92, kBase});
    standing.keys = {{0, 0.52, kBase, 0, state}};
  }
  moving.keys = std::move(keys);
  if (is_first) {
    script.actors = {moving, standing};
  } else {
    script.actors = {standing, moving};
  }
  return script;
}

// What moves, with respect to what, and what is false of it.
struct Moving {
  std::string_view preposition;
  std::string_view wrong;
  std::string what;         // "a red cup"
  std::string_view target;  // "dining table"
  std::string_view other;

  std::string sentence_of(std::string_view where, std::string_view noun) const {
    return fmt::format("moving {} {} {} {}", what, where, article_for(noun), noun);
  }
};

std::string item_text(Rng& rng, const Moving& moving, uint64_t index, const std::string& number) {
  const std::string caption = moving.sentence_of(moving.preposition, moving.target);
  const double gruen = drawn_gruen(rng);
  const JsonText proficiency = python_object(
      {{"caption", caption},
       {"foils", std::vector<std::string>{moving.sentence_of(moving.preposition, moving.other)}},
       {"proficiency_test", "noun"},
       {"mask_target", moving.target},
       {"predicted_word", moving.other},
       {"model", "eyechart"},
       {"gruen_score", gruen},
       {"human", drawn_author_vote(rng)}});
  const Source source = {.dataset = "something-something-v2",
                         .original_split = "val",
                         .dataset_idx = number,
                         .phenomenon = "spatial-relations",
                         .youtube_id = "",
                         .video_file = number,
                         .start_time = nullptr,
                         .end_time = nullptr};
  return element_of(
      fmt::to_string(index),
      source_members(source).add(
          {{"caption", caption},
           {"foils", std::vector<std::string>{moving.sentence_of(moving.wrong, moving.target)}},
           {"class", moving.preposition},
           {"classes_foil", std::vector<std::string_view>{moving.wrong}},
           {"foiling_methods", std::vector<std::string>{"t5-top10", "gruen", "nli"}},
           {"nli", std::vector<std::string>{"contradict"}},
           {"model", "t5-base"},
           {"proficiency", proficiency},
           {"mturk", drawn_crowd_votes(rng)}}));
}

bool is_movable(const Noun& noun) {
  return !noun.can(kActs) && noun.size <= 0.34 && noun.name != "scissors" &&
         noun.name != "broccoli";
}

}  // namespace

VilmaClip relation_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "relation", index / 2);
  const Prepositions& both = kPrepositions.at(index / 2 % kPrepositions.size());
  const size_t standing = draw_noun(
      rng, [&](const Noun& noun) { return suits(both[0], noun) && suits(both[1], noun); });
  auto is_other = [&](const Noun& noun) {
    return is_movable(noun) && noun.name != nouns()[standing].name;
  };
  Actor mover = drawn_actor(rng, draw_noun(rng, is_other), 0.2);
  Actor stander = drawn_actor(rng, standing, 0.5);
  if (nouns()[standing].can(kFills)) stander.look.state = 0;
  Moving moving;
  moving.preposition = both.at(index % 2);
  moving.wrong = both.at(1 - index % 2);
  moving.what = coloured_phrase(mover);
  moving.target = nouns()[standing].name;
  moving.other = nouns()[draw_noun(rng, is_other)].name;
  const std::string number = fmt::to_string(200000 + index);
  VilmaClip clip;
  clip.path = fmt::format("something-something-v2/{}.webm", number);
  clip.rows = {{"relations.json", item_text(rng, moving, index, number)}};
  clip.script = script_of(rng, moving.preposition, std::move(mover), std::move(stander));
  return clip;
}

}  // namespace snellen::eyechart::vilma
