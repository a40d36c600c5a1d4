// SPDX-License-Identifier: Apache-2.0
// Situation awareness: one actor does something to another, in the form of VidSitu.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/scene_draws.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 10;
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

Situation draw_situation(Rng& rng, bool both_act) {
  Situation situation;
  do {
    situation.verb = &kVerbs.at(rng.below(kVerbs.size()));
  } while (both_act && situation.verb->predicate == Predicate::kJumpingOver);
  const Predicate predicate = situation.verb->predicate;
  const size_t subject = draw_noun(
      rng, [&](const Noun& noun) { return can_be_subject(noun, predicate) && noun.can(kLives); });
  const size_t object = draw_noun(rng, [&](const Noun& noun) {
    return can_be_object(noun, predicate) && noun.name != nouns()[subject].name &&
           (!both_act || noun.can(kLives));
  });
  const bool is_jump = predicate == Predicate::kJumpingOver;
  situation.script.actors = {drawn_actor(rng, subject, 0.29),
                             drawn_actor(rng, object, is_jump ? 0.22 : 0.27)};
  // A jump is seen without a sign.
  if (!is_jump) situation.script.marks = {{0, 1, predicate}};
  situation.script.backdrop = drawn_clip_backdrop(rng);
  situation.script.frames_per_second = kRate;
  situation.start = static_cast<int>(rng.below(3));
  situation.script.num_frames = kRate * (kSeconds + situation.start) + 2;
  situation.video_id = drawn_video_id(rng) + fmt::to_string(1 + rng.below(15));
  move(situation, situation.start);
  const bool faces_along = predicate == Predicate::kChasing || predicate == Predicate::kFollowing;
  const bool is_mirrored = rng.below(2) == 0 && !nouns()[object].can(kWritten);
  situation.script.actors[1].faces_left = !faces_along && is_mirrored;
  if (rng.below(2) == 0) {
    for (Actor& actor : situation.script.actors) mirror(actor);
  }
  return situation;
}

std::string told(std::string_view article,
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
  return {told(article, situation.script.actors[0], situation.verb->third, other),
          nouns()[other.noun].name};
}

std::string proficiency_json(Rng& rng,
                             const Situation& situation,
                             std::string_view caption,
                             std::string_view article,
                             double gruen) {
  const OtherNoun other = with_other_noun(rng, situation, article);
  return fmt::format(
      "\"proficiency\": {{{}, \"proficiency_test\": \"noun\", \"model\": \"eyechart\", "
      "\"gruen_score\": {}, \"class\": {}, "
      "\"classes_foil\": [{}], \"human\": {}}}",
      texts_json(caption, {other.text}),
      python_float(gruen),
      python_string(nouns()[situation.script.actors[1].noun].name),
      python_string(other.noun),
      drawn_author_vote(rng));
}

std::string situation_source(const Situation& situation, std::string_view phenomenon) {
  const int end = situation.start + kSeconds;
  return source_json(
      {.dataset = "VidSitu",
       .original_split = "validation",
       .dataset_idx = "\"-\"",
       .phenomenon = std::string(phenomenon),
       .youtube_id = situation.video_id,
       .video_file = fmt::format("{}_{}_{}", situation.video_id, situation.start, end),
       .start_time = fmt::to_string(situation.start),
       .end_time = fmt::to_string(end)});
}

// One or two verbs that are visibly not what happens.
std::vector<const Verb*> drawn_wrong_verbs(Rng& rng, const Verb& right) {
  std::vector<const Verb*> others;
  for (const Verb& verb : kVerbs) {
    // Who chases also follows: that would be no foil.
    const bool is_alike = (verb.lemma == "follow" && right.lemma == "chase") ||
                          (verb.lemma == "chase" && right.lemma == "follow");
    if (&verb != &right && !is_alike) others.push_back(&verb);
  }
  rng.shuffle(std::span(others));
  others.resize(rng.below(10) == 0 ? 1 : 2);
  return others;
}

// "foils_info": {..}; the mean goes over the foils and the proficiency foil (spec/vilma.md 2.2).
std::string foils_info_json(Rng& rng,
                            const Situation& situation,
                            std::string_view caption,
                            const std::vector<const Verb*>& others,
                            double proficiency_gruen) {
  std::vector<std::string> words;
  std::vector<std::string> scores;
  double sum = proficiency_gruen;
  for (const Verb* verb : others) {
    words.push_back(python_string(verb->third));
    const double score = drawn_gruen(rng);
    sum += score;
    scores.push_back(python_float(score));
  }
  return fmt::format(
      "\"foils_info\": {{\"caption\": {}, \"mask_target\": {}, \"predicted_words\": [{}], "
      "\"gruen_scores\": [{}], "
      "\"avg_gruen\": {}}}",
      python_string(caption),
      python_string(situation.verb->third),
      fmt::join(words, ", "),
      fmt::join(scores, ", "),
      python_float(sum / static_cast<double>(others.size() + 1)));
}

}  // namespace

VilmaClip action_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "action", index);
  Situation situation = draw_situation(rng, /*both_act=*/false);
  const Actor& subject = situation.script.actors[0];
  const Actor& object = situation.script.actors[1];
  const std::string caption = told("a", subject, situation.verb->third, object);
  const std::vector<const Verb*> others = drawn_wrong_verbs(rng, *situation.verb);
  std::vector<std::string> foils;
  foils.reserve(others.size());
  for (const Verb* verb : others) foils.push_back(told("a", subject, verb->third, object));
  const double gruen = drawn_gruen(rng);
  const std::string proficiency = proficiency_json(rng, situation, caption, "a", gruen);
  const std::string info = foils_info_json(rng, situation, caption, others, gruen);
  VilmaClip clip;
  clip.path = fmt::format("youtube/{}.mp4", situation.video_id);
  clip.rows = {
      {"SRL_Action_Replacement_Top_1000.json",
       fmt::format(
           "\"{}\": {{{}{}, \"foiling_methods\": [\"eyechart\"], \"nli\": \"eyechart\", \"model\": "
           "\"eyechart\", {}, {}, \"class\": {}, \"classes_foil\": [{}], \"mturk\": {}}}",
           2 * index,
           situation_source(situation, "action_replacement"),
           texts_json(caption, foils),
           info,
           proficiency,
           python_string(situation.verb->lemma),
           python_string(others.back()->lemma),
           drawn_crowd_votes(rng))}};
  clip.script = std::move(situation.script);
  return clip;
}

VilmaClip swapping_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "swapping", index);
  Situation situation = draw_situation(rng, /*both_act=*/true);
  const Actor& subject = situation.script.actors[0];
  const Actor& object = situation.script.actors[1];
  const std::string caption = told("the", subject, situation.verb->third, object);
  const std::string foil = told("the", object, situation.verb->third, subject);
  const std::string proficiency =
      proficiency_json(rng, situation, caption, "the", drawn_gruen(rng));
  VilmaClip clip;
  clip.path = fmt::format("youtube/{}.mp4", situation.video_id);
  clip.rows = {{"SRL_Actor_Swapping.json",
                fmt::format("\"{}\": {{{}{}, \"foiling_methods\": [\"Manual Swapping\"], "
                            "\"model\": \"-\", {}, \"mturk\": {}}}",
                            2 * index + 1,
                            situation_source(situation, "actor_swapping"),
                            texts_json(caption, {foil}),
                            proficiency,
                            drawn_crowd_votes(rng))}};
  clip.script = std::move(situation.script);
  return clip;
}

}  // namespace snellen::eyechart::vilma
