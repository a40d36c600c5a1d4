// SPDX-License-Identifier: Apache-2.0
// Rare actions: things are done to things they are seldom done to, in the form of RareAct.
#include <array>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/eyechart/nouns.h"
#include "snellen/eyechart/phrases.h"
#include "snellen/eyechart/scene_draws.h"
#include "snellen/eyechart/vilma/clip_item.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 8;
constexpr int kSeconds = 10;

struct RareVerb {
  std::string_view lemma;
  std::string_view gerund;
};
constexpr std::array kVerbs = {RareVerb{"hammer", "hammering"},
                               RareVerb{"cut", "cutting"},
                               RareVerb{"spray", "spraying"},
                               RareVerb{"wash", "washing"},
                               RareVerb{"weigh", "weighing"},
                               RareVerb{"measure", "measuring"},
                               RareVerb{"shake", "shaking"},
                               RareVerb{"throw", "throwing"}};

std::vector<int> steady_beats(int num_frames, int period) {
  std::vector<int> ends;
  for (int end = period; end <= num_frames; end += period) ends.push_back(end);
  return ends;
}

Actor tool(size_t index, double side, std::vector<Key> keys) {
  Actor actor;
  actor.noun = index;
  actor.side = side;
  actor.is_grounded = false;
  actor.keys = std::move(keys);
  return actor;
}

// The thing in the middle, and what is done to it.
ClipScript script_of(Rng& rng, std::string_view verb, Actor thing) {
  ClipScript script;
  script.frames_per_second = kRate;
  script.num_frames = kRate * kSeconds + 2;
  script.backdrop = drawn_clip_backdrop(rng);
  thing.keys = {{0, 0.5, 0.9}};
  const double top = 0.9 - thing.side * 0.8;
  std::vector<Actor>& actors = script.actors;
  if (verb == "hammer" || verb == "cut") {
    Actor blow = verb == "hammer" ? tool(prop_index(Prop::kHammer), 0.34, {})
                                  : tool(*noun_index("knife"), 0.40, {});
    for (int i = 0; i <= kSeconds; ++i) {
      const double at = i;
      blow.keys.push_back({at, 0.62, top - 0.02, verb == "hammer" ? 10.0 : 150.0});
      blow.keys.push_back({at + 0.5, 0.55, top + 0.18, verb == "hammer" ? -60.0 : 150.0});
    }
    actors = {thing, blow};
  } else if (verb == "spray") {
    Actor drops = tool(prop_index(Prop::kDrops), 0.30, {{0, 0.42, 0.66, 60}});
    drops.beat = Beat::kFlow;
    drops.beat_ends = steady_beats(script.num_frames, 6);
    thing.keys = {{0, 0.62, 0.9}};
    actors = {thing, tool(prop_index(Prop::kSprayBottle), 0.34, {{0, 0.18, 0.80}}), drops};
  } else if (verb == "wash") {
    Actor drops = tool(prop_index(Prop::kDrops), 0.5, {{0, 0.5, 0.84}});
    drops.beat = Beat::kFlow;
    drops.beat_ends = steady_beats(script.num_frames, 8);
    actors = {thing, drops};
  } else if (verb == "weigh") {
    thing.keys = {{1, 0.5, 0.40}, {4, 0.5, 0.745}, {7, 0.5, 0.745}};
    thing.is_grounded = false;
    actors = {tool(prop_index(Prop::kScales), 0.42, {{0, 0.5, 0.93}}), thing};
  } else if (verb == "measure") {
    Actor tape =
        tool(prop_index(Prop::kTape), 0.62, {{1, 0.5, 0.97, 0, 0.1}, {7, 0.5, 0.97, 0, 1.0}});
    actors = {thing, tape};
  } else if (verb == "shake") {
    thing.beat = Beat::kSway;
    thing.beat_ends = steady_beats(script.num_frames, 4);
    actors = {thing};
  } else {
    Actor person = drawn_actor(rng, *noun_index("person"), 0.42);
    person.keys = {{0, 0.16, 0.9}};
    thing.side = 0.24;
    thing.is_grounded = false;
    thing.keys = {{2, 0.34, 0.72}, {4, 0.55, 0.40, 120}, {5, 0.68, 0.36, 180}, {7, 0.86, 0.9, 300}};
    actors = {person, thing};
  }
  return script;
}

std::string done_to(std::string_view gerund, std::string_view noun) {
  return fmt::format("{} {} {}", gerund, article_for(noun), noun);
}

std::string existential(std::string_view noun) {
  return fmt::format("there is at least one {}", noun);
}

}  // namespace

VilmaClip rare_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "rare", index);
  const RareVerb& verb = kVerbs.at(rng.below(kVerbs.size()));
  auto is_thing = [](const Noun& noun) {
    return !noun.can(kActs) && noun.name != "scissors" && noun.name != "broccoli" &&
           noun.name != "knife" && noun.name != "fork" && noun.name != "spoon";
  };
  const size_t noun = draw_noun(rng, is_thing);
  auto is_other = [&](const Noun& each) {
    return is_thing(each) && each.name != nouns()[noun].name;
  };
  const std::string_view foil_noun = nouns()[draw_noun(rng, is_other)].name;
  const std::string_view absent = nouns()[draw_noun(rng, is_other)].name;
  const RareVerb* foil_verb = &verb;
  while (foil_verb == &verb) foil_verb = &kVerbs.at(rng.below(kVerbs.size()));
  const std::string_view name = nouns()[noun].name;
  const std::string id = drawn_video_id(rng);
  const std::string source = source_json({.dataset = "RareAct",
                                          .original_split = "test",
                                          .dataset_idx = fmt::to_string(index),
                                          .phenomenon = "actions",
                                          .youtube_id = id,
                                          .video_file = "",
                                          .start_time = "0",
                                          .end_time = fmt::to_string(kSeconds)});
  const std::string caption = done_to(verb.gerund, name);
  auto row = [&](std::string_view kind,
                 const std::string& foil,
                 std::string_view method,
                 std::string_view extra,
                 std::string_view what,
                 std::string_view wrong) {
    return fmt::format(
        "\"actions-{}-active-{:04d}\": {{{}{}, \"foil_masked_pos\": [\"{}\"], \"foiling_method\": "
        "[\"{}\"], "
        "\"foil_nli_labels\": [\"contradiction\"], \"foil_nli_scores\": [{}], {}\"proficiency\": "
        "{{{}, \"human\": "
        "{}}}, \"mturk\": {}, \"class\": {}, \"classes_foil\": [{}]}}",
        kind,
        index,
        source,
        texts_json(caption, {foil}),
        kind,
        method,
        python_float(drawn_gruen(rng)),
        extra,
        texts_json(existential(name), {existential(absent)}),
        drawn_author_vote(rng),
        drawn_crowd_votes(rng),
        python_string(what),
        python_string(wrong));
  };
  VilmaClip clip;
  clip.path = fmt::format("youtube/{}.mp4", id);
  clip.rows = {
      {"rare-actions-verb-foils.json",
       row("verb", done_to(foil_verb->gerund, name), "t5", "", verb.lemma, foil_verb->lemma)},
      {"rare-actions-noun-foils.json",
       row("noun",
           done_to(verb.gerund, foil_noun),
           "mlm ensembling",
           "\"foil_mlm_scores\": [null], ",
           name,
           absent)}};
  clip.script = script_of(rng, verb.lemma, drawn_actor(rng, noun, 0.4));
  return clip;
}

}  // namespace snellen::eyechart::vilma
