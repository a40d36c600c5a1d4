// SPDX-License-Identifier: Apache-2.0
// Rare actions: things are done to things they are seldom done to, in the form of RareAct.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/scene_draws.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 6;
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

Actor falling_water(double side, int num_frames, int period, const Key& key) {
  Actor drops = tool(prop_index(Prop::kDrops), side, {key});
  drops.motion = RepeatedMotion::kFlow;
  drops.motion_ends = steady_beats(num_frames, period);
  return drops;
}

// A hammer or a knife that comes down once a second.
Actor striking_tool(bool is_hammer, double top) {
  Actor blow = tool(
      is_hammer ? prop_index(Prop::kHammer) : *noun_index("knife"), is_hammer ? 0.34 : 0.40, {});
  for (int i = 0; i <= kSeconds; ++i) {
    const double at = i;
    blow.keys.push_back({at, 0.62, top - 0.02, is_hammer ? 10.0 : 150.0});
    blow.keys.push_back({at + 0.5, 0.55, top + 0.18, is_hammer ? -60.0 : 150.0});
  }
  return blow;
}

std::vector<Actor> throwing(Rng& rng, Actor thing) {
  Actor person = drawn_actor(rng, *noun_index("person"), 0.42);
  person.keys = {{0, 0.16, 0.9}};
  thing.side = 0.24;
  thing.is_grounded = false;
  thing.keys = {{2, 0.34, 0.72}, {4, 0.55, 0.40, 120}, {5, 0.68, 0.36, 180}, {7, 0.86, 0.9, 300}};
  return {person, thing};
}

// The thing in the middle, and what is done to it.
ClipScript script_of(Rng& rng, std::string_view verb, Actor thing) {
  ClipScript script;
  script.frames_per_second = kRate;
  script.num_frames = kRate * kSeconds + 2;
  script.backdrop = drawn_clip_backdrop(rng);
  thing.keys = {{0, 0.5, 0.9}};
  if (verb == "hammer" || verb == "cut") {
    script.actors = {thing, striking_tool(verb == "hammer", 0.9 - thing.side * 0.8)};
  } else if (verb == "spray") {
    thing.keys = {{0, 0.62, 0.9}};
    script.actors = {thing,
                     tool(prop_index(Prop::kSprayBottle), 0.34, {{0, 0.18, 0.80}}),
                     falling_water(0.30, script.num_frames, 6, {0, 0.42, 0.66, 60})};
  } else if (verb == "wash") {
    script.actors = {thing, falling_water(0.5, script.num_frames, 8, {0, 0.5, 0.84})};
  } else if (verb == "weigh") {
    thing.keys = {{1, 0.5, 0.40}, {4, 0.5, 0.745}, {7, 0.5, 0.745}};
    thing.is_grounded = false;
    script.actors = {tool(prop_index(Prop::kScales), 0.42, {{0, 0.5, 0.93}}), thing};
  } else if (verb == "measure") {
    script.actors = {
        thing,
        tool(prop_index(Prop::kTape), 0.62, {{1, 0.5, 0.97, 0, 0.1}, {7, 0.5, 0.97, 0, 1.0}})};
  } else if (verb == "shake") {
    thing.motion = RepeatedMotion::kSway;
    thing.motion_ends = steady_beats(script.num_frames, 4);
    script.actors = {thing};
  } else {
    script.actors = throwing(rng, std::move(thing));
  }
  return script;
}

std::string done_to(std::string_view gerund, std::string_view noun) {
  return fmt::format("{} {} {}", gerund, article_for(noun), noun);
}

std::string existential(std::string_view noun) {
  return fmt::format("there is at least one {}", noun);
}

bool is_thing(const Noun& noun) {
  constexpr std::array<std::string_view, 5> kUnfit = {
      "scissors", "broccoli", "knife", "fork", "spoon"};
  return !noun.can(kActs) && std::find(kUnfit.begin(), kUnfit.end(), noun.name) == kUnfit.end();
}

// What is done to what, what is not, and what is not there at all.
struct RareAction {
  const RareVerb* verb;
  const RareVerb* wrong_verb;
  size_t noun;
  std::string_view name;
  std::string_view wrong_name;
  std::string_view absent;
};

// Four clips share two verbs and two nouns: each verb is done to each noun.
constexpr uint64_t kClipsOfGroup = 4;

RareAction draw_action(Rng& rng, uint64_t index) {
  RareAction action{};
  action.verb = &kVerbs.at(rng.below(kVerbs.size()));
  action.noun = draw_noun(rng, is_thing);
  action.name = nouns()[action.noun].name;
  auto is_other = [&](const Noun& each) { return is_thing(each) && each.name != action.name; };
  const size_t wrong_noun = draw_noun(rng, is_other);
  action.wrong_name = nouns()[wrong_noun].name;
  action.absent = nouns()[draw_noun(rng, [&](const Noun& each) {
                    return is_other(each) && each.name != action.wrong_name;
                  })].name;
  action.wrong_verb = action.verb;
  while (action.wrong_verb == action.verb) action.wrong_verb = &kVerbs.at(rng.below(kVerbs.size()));
  if (index % 2 == 1) std::swap(action.verb, action.wrong_verb);
  if (index / 2 % 2 == 1) {
    std::swap(action.name, action.wrong_name);
    action.noun = wrong_noun;
  }
  return action;
}

// One of the two items of a clip; `kind` is "verb" or "noun".
std::string item_text(
    Rng& rng, const RareAction& action, std::string_view kind, uint64_t index, JsonObject item) {
  const bool is_verb = kind == "verb";
  const std::string foil = is_verb ? done_to(action.wrong_verb->gerund, action.name)
                                   : done_to(action.verb->gerund, action.wrong_name);
  const double gruen = drawn_gruen(rng);
  const JsonText proficiency =
      python_object({{"caption", existential(action.name)},
                     {"foils", std::vector<std::string>{existential(action.absent)}},
                     {"human", drawn_author_vote(rng)}});
  item.add({{"caption", done_to(action.verb->gerund, action.name)},
            {"foils", std::vector<std::string>{foil}},
            {"foil_masked_pos", std::vector<std::string_view>{kind}},
            {"foiling_method", std::vector<std::string>{is_verb ? "t5" : "mlm ensembling"}},
            {"foil_nli_labels", std::vector<std::string>{"contradiction"}},
            {"foil_nli_scores", std::vector<double>{gruen}}});
  if (!is_verb) item.add({{"foil_mlm_scores", std::vector<JsonValue>{nullptr}}});
  // As in the published noun file, the foil's class is the noun of the proficiency foil.
  item.add({{"proficiency", proficiency},
            {"mturk", drawn_crowd_votes(rng)},
            {"class", is_verb ? action.verb->lemma : action.name},
            {"classes_foil",
             std::vector<std::string_view>{is_verb ? action.wrong_verb->lemma : action.absent}}});
  return element_of(fmt::format("actions-{}-active-{:04d}", kind, index), item);
}

}  // namespace

std::string rareact_line(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "rare", index / kClipsOfGroup);
  const RareAction action = draw_action(rng, index);
  const std::string id = video_id(seed, "rare", index);
  return fmt::format("{},{},0,{},{},{},1\n", index, id, kSeconds, action.verb->lemma, action.name);
}

std::string rare_candidates() {
  std::vector<JsonText> things;
  for (const Noun& noun : nouns()) {
    if (is_thing(noun))
      things.push_back(
          python_object({{"noun", noun.name},
                         {"phrase", fmt::format("{} {}", article_for(noun.name), noun.name)}}));
  }
  std::vector<std::string> lists;
  auto add = [&](std::string_view key, const std::vector<JsonText>& list) {
    lists.push_back(python_string(key) + ": " + JsonValue(list).written(kAsciiJson));
  };
  for (const RareVerb& verb : kVerbs) add(verb.lemma, things);
  for (const Noun& noun : nouns()) {
    if (!is_thing(noun)) continue;
    for (const RareVerb& verb : kVerbs) {
      std::vector<JsonText> others;
      for (const RareVerb& other : kVerbs) {
        if (&other != &verb) others.push_back(python_object({{"verb", other.lemma}}));
      }
      add(fmt::format("{} {}", verb.lemma, noun.name), others);
    }
  }
  return fmt::format("{{\n{}\n}}\n", fmt::join(lists, ",\n"));
}

VilmaClip rare_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "rare", index / kClipsOfGroup);
  const RareAction action = draw_action(rng, index);
  const std::string id = video_id(seed, "rare", index);
  const JsonObject source = source_members({.dataset = "RareAct",
                                            .original_split = "test",
                                            .dataset_idx = index,
                                            .phenomenon = "actions",
                                            .youtube_id = id,
                                            .video_file = "",
                                            .start_time = 0,
                                            .end_time = kSeconds});
  VilmaClip clip;
  clip.path = fmt::format("youtube/{}.mp4", id);
  clip.rows = {{"rare-actions-verb-foils.json", item_text(rng, action, "verb", index, source)},
               {"rare-actions-noun-foils.json", item_text(rng, action, "noun", index, source)}};
  clip.script = script_of(rng, action.verb->lemma, drawn_actor(rng, action.noun, 0.4));
  return clip;
}

}  // namespace snellen::eyechart::vilma
