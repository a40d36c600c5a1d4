// SPDX-License-Identifier: Apache-2.0
// Situation awareness: one actor does something to another, in the form of VidSitu.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/scene_draws.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 6;
constexpr int kSeconds = 10;

struct Verb {
  std::string_view lemma;
  std::string_view third;
  Predicate predicate;
};

constexpr std::array kVerbs = {
    Verb{"chase", "chases", Predicate::kChasing},
    Verb{"follow", "follows", Predicate::kFollowing},
    Verb{"push", "pushes", Predicate::kPushing},
    Verb{"pull", "pulls", Predicate::kPulling},
    Verb{"kick", "kicks", Predicate::kKicking},
    Verb{"watch", "watches", Predicate::kLookingAt},
    Verb{"jump over", "jumps over", Predicate::kJumpingOver},
};

// A pair that acts, its clip, and what is true of it.
struct Situation {
  const Verb* verb;
  std::string video_id;  // with the suffix that VidSitu appends
  int start = 0;         // seconds into the file
  ClipScript script;
};

// The two positions over time; the subject acts towards the right, mirrored afterwards.
void move(Situation& situation, double lead_in) {
  Actor& subject = situation.script.actors[0];
  Actor& object = situation.script.actors[1];
  const double end = lead_in + kSeconds;
  auto both = [&](double s0, double o0, double s1, double o1) {
    subject.keys = {{lead_in, s0, 0.88}, {end, s1, 0.88}};
    object.keys = {{lead_in, o0, 0.88}, {end, o1, 0.88}};
  };
  switch (situation.verb->predicate) {
    case Predicate::kChasing:
      both(0.08, 0.44, 0.56, 0.92);
      break;
    case Predicate::kFollowing:
      both(0.14, 0.52, 0.46, 0.84);
      break;
    case Predicate::kPushing:
      both(0.18, 0.45, 0.54, 0.81);
      break;
    case Predicate::kPulling:
      both(0.50, 0.12, 0.86, 0.48);
      break;
    case Predicate::kLookingAt:
      both(0.22, 0.78, 0.22, 0.78);
      break;
    case Predicate::kKicking:
      both(0.14, 0.50, 0.22, 0.50);
      object.keys = {{lead_in, 0.50, 0.88},
                     {lead_in + 4, 0.50, 0.88},
                     {end - 2, 0.86, 0.80, 160},
                     {end, 0.86, 0.88, 180}};
      break;
    default:
      object.keys = {{0, 0.5, 0.9}};
      subject.keys = {{lead_in, 0.14, 0.88},
                      {lead_in + 3, 0.2, 0.88},
                      {lead_in + 5, 0.5, 0.5},
                      {lead_in + 7, 0.8, 0.88},
                      {end, 0.86, 0.88}};
      break;
  }
}

void mirror(Actor& actor) {
  for (Key& key : actor.keys) {
    key.x = 1 - key.x;
    key.angle = -key.angle;
  }
  actor.faces_left = !actor.faces_left && !nouns()[actor.noun].can(kWritten);
}

// Two living things, or a living thing and a ball: whatever one can do to the other, it can do to
// any other.
std::array<Actor, 2> draw_actors(Rng& rng, bool both_live) {
  const size_t subject = draw_noun(rng, [](const Noun& noun) { return noun.can(kLives); });
  const size_t object = draw_noun(rng, [&](const Noun& noun) {
    return noun.name != nouns()[subject].name &&
           (noun.can(kLives) || (!both_live && can_be_object(noun, Predicate::kChasing)));
  });
  const Actor first = drawn_actor(rng, subject, 0.29);
  const Actor second = drawn_actor(rng, object, 0.27);
  return {first, second};
}

Situation draw_situation(Rng& rng, const Verb& verb, const std::array<Actor, 2>& actors) {
  Situation situation;
  situation.verb = &verb;
  const Predicate predicate = verb.predicate;
  const bool is_jump = predicate == Predicate::kJumpingOver;
  situation.script.actors = {actors[0], actors[1]};
  situation.script.actors[0].side = 0.29;
  situation.script.actors[1].side = is_jump ? 0.22 : 0.27;
  // A jump is seen without a sign.
  if (!is_jump) situation.script.marks = {{0, 1, predicate}};
  situation.script.backdrop = drawn_clip_backdrop(rng);
  situation.script.frames_per_second = kRate;
  situation.start = static_cast<int>(rng.below(3));
  situation.script.num_frames = kRate * (kSeconds + situation.start) + 2;
  move(situation, situation.start);
  const bool faces_along = predicate == Predicate::kChasing || predicate == Predicate::kFollowing;
  situation.script.actors[1].faces_left = rng.below(2) == 0 && !faces_along;
  if (rng.below(2) == 0) {
    for (Actor& actor : situation.script.actors) mirror(actor);
  }
  return situation;
}

std::string sentence_of(std::string_view article,
                        const Actor& subject,
                        std::string_view verb,
                        const Actor& object) {
  auto phrase = [&](const Actor& actor) {
    return article == "the" ? "the " + coloured_noun(actor) : coloured_phrase(actor);
  };
  return sentence(fmt::format("{} {} {}", phrase(subject), verb, phrase(object)));
}

// The same sentence about another noun in place of the object.
struct OtherNoun {
  std::string text;
  std::string_view noun;
};
OtherNoun with_other_noun(Rng& rng, const Situation& situation, std::string_view article) {
  Actor other = situation.script.actors[1];
  other.noun = draw_noun(rng, [&](const Noun& noun) {
    return noun.can(kLives) == nouns()[situation.script.actors[1].noun].can(kLives) &&
           noun.name != nouns()[situation.script.actors[0].noun].name &&
           noun.name != nouns()[situation.script.actors[1].noun].name && !noun.can(kFixedColour) &&
           noun.name != "person";
  });
  return {sentence_of(article, situation.script.actors[0], situation.verb->third, other),
          nouns()[other.noun].name};
}

JsonText proficiency_json(Rng& rng,
                          const Situation& situation,
                          std::string_view caption,
                          std::string_view article,
                          double gruen) {
  const OtherNoun other = with_other_noun(rng, situation, article);
  return python_object({{"caption", caption},
                        {"foils", std::vector<std::string>{other.text}},
                        {"proficiency_test", "noun"},
                        {"model", "eyechart"},
                        {"gruen_score", gruen},
                        {"class", nouns()[situation.script.actors[1].noun].name},
                        {"classes_foil", std::vector<std::string_view>{other.noun}},
                        {"human", drawn_author_vote(rng)}});
}

JsonObject situation_source(const Situation& situation, std::string_view phenomenon) {
  const int end = situation.start + kSeconds;
  return source_members(
      {.dataset = "VidSitu",
       .original_split = "validation",
       .dataset_idx = "-",
       .phenomenon = std::string(phenomenon),
       .youtube_id = situation.video_id,
       .video_file = fmt::format("{}_{}_{}", situation.video_id, situation.start, end),
       .start_time = situation.start,
       .end_time = end});
}

constexpr size_t kVerbsOfGroup = 3;

// Three verbs of which no two are seen at once.
std::array<const Verb*, kVerbsOfGroup> drawn_verbs(Rng& rng) {
  std::vector<const Verb*> verbs;
  // Who chases also follows: one of the two is left out.
  const std::string_view left_out = rng.below(2) == 0 ? "follow" : "chase";
  for (const Verb& verb : kVerbs) {
    if (verb.lemma != left_out) verbs.push_back(&verb);
  }
  rng.shuffle(std::span(verbs));
  return {verbs[0], verbs[1], verbs[2]};
}

// The suffix is VidSitu's.
std::string situation_id(uint64_t seed, std::string_view kind, uint64_t index) {
  return video_id(seed, kind, index) + fmt::to_string(1 + index % 15);
}

// The mean goes over the foils and the proficiency foil (docs/spec/vilma.md 2.2).
JsonText foils_info_json(Rng& rng,
                         const Situation& situation,
                         std::string_view caption,
                         const std::vector<const Verb*>& others,
                         double proficiency_gruen) {
  std::vector<std::string_view> words;
  std::vector<double> scores;
  double sum = proficiency_gruen;
  for (const Verb* verb : others) {
    words.push_back(verb->third);
    scores.push_back(drawn_gruen(rng));
    sum += scores.back();
  }
  return python_object({{"caption", caption},
                        {"mask_target", situation.verb->third},
                        {"predicted_words", words},
                        {"gruen_scores", scores},
                        {"avg_gruen", sum / static_cast<double>(others.size() + 1)}});
}

}  // namespace

VilmaClip action_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "action", index / kVerbsOfGroup);
  const std::array<const Verb*, kVerbsOfGroup> verbs = drawn_verbs(rng);
  const size_t right = index % kVerbsOfGroup;
  Situation situation =
      draw_situation(rng, *verbs.at(right), draw_actors(rng, /*both_live=*/false));
  situation.video_id = situation_id(seed, "action", index);
  const Actor& subject = situation.script.actors[0];
  const Actor& object = situation.script.actors[1];
  const std::string caption = sentence_of("a", subject, situation.verb->third, object);
  const std::vector<const Verb*> others = {verbs.at((right + 1) % kVerbsOfGroup),
                                           verbs.at((right + 2) % kVerbsOfGroup)};
  std::vector<std::string> foils;
  foils.reserve(others.size());
  for (const Verb* verb : others) foils.push_back(sentence_of("a", subject, verb->third, object));
  const double gruen = drawn_gruen(rng);
  const JsonText proficiency = proficiency_json(rng, situation, caption, "a", gruen);
  const JsonText info = foils_info_json(rng, situation, caption, others, gruen);
  VilmaClip clip;
  clip.path = fmt::format("youtube/{}.mp4", situation.video_id);
  clip.rows = {
      {"SRL_Action_Replacement_Top_1000.json",
       element_of(fmt::to_string(2 * index),
                  situation_source(situation, "action_replacement")
                      .add({{"caption", caption},
                            {"foils", foils},
                            {"foiling_methods", std::vector<std::string>{"eyechart"}},
                            {"nli", "eyechart"},
                            {"model", "eyechart"},
                            {"foils_info", info},
                            {"proficiency", proficiency},
                            {"class", situation.verb->lemma},
                            {"classes_foil", std::vector<std::string_view>{others.back()->lemma}},
                            {"mturk", drawn_crowd_votes(rng)}}))}};
  clip.script = std::move(situation.script);
  return clip;
}

VilmaClip swapping_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "swapping", index / 2);
  // A jump shows who is over whom, not who did it to whom.
  const Verb& verb = kVerbs.at(rng.below(kVerbs.size() - 1));
  std::array<Actor, 2> actors = draw_actors(rng, /*both_live=*/true);
  if (index % 2 == 1) std::swap(actors[0], actors[1]);
  Situation situation = draw_situation(rng, verb, actors);
  situation.video_id = situation_id(seed, "swapping", index);
  const Actor& subject = situation.script.actors[0];
  const Actor& object = situation.script.actors[1];
  const std::string caption = sentence_of("the", subject, situation.verb->third, object);
  const std::string foil = sentence_of("the", object, situation.verb->third, subject);
  const JsonText proficiency = proficiency_json(rng, situation, caption, "the", drawn_gruen(rng));
  VilmaClip clip;
  clip.path = fmt::format("youtube/{}.mp4", situation.video_id);
  clip.rows = {
      {"SRL_Actor_Swapping.json",
       element_of(fmt::to_string(2 * index + 1),
                  situation_source(situation, "actor_swapping")
                      .add({{"caption", caption},
                            {"foils", std::vector<std::string>{foil}},
                            {"foiling_methods", std::vector<std::string>{"Manual Swapping"}},
                            {"model", "-"},
                            {"proficiency", proficiency},
                            {"mturk", drawn_crowd_votes(rng)}}))}};
  clip.script = std::move(situation.script);
  return clip;
}

}  // namespace snellen::eyechart::vilma
