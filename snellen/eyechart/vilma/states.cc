// SPDX-License-Identifier: Apache-2.0
// Change of state: a thing is opened, filled, lit, blown up or lifted, or the reverse. One clip
// gives an item in each of four files.
#include <array>

#include <fmt/format.h>

#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 8;
constexpr int kSeconds = 4;

struct VerbForm {
  std::string_view verb;      // may carry a particle: "switch on"
  std::string_view third;     // without it: "switches"
  std::string_view particle;  // "on"
  std::string_view hypernym;
};

struct Change {
  std::array<std::string_view, 4> things;
  VerbForm forward;   // from `low` to `high`
  VerbForm backward;  // the reverse
  std::string_view low;
  std::string_view high;
  bool is_intransitive;  // the thing does it by itself, and rises
};

constexpr std::array kChanges = {
    Change{{"umbrella", "box", "book", "laptop"},
           {"open", "opens", "", "change"},
           {"close", "closes", "", "change"},
           "closed",
           "open",
           false},
    Change{{"cup", "wine glass", "bowl", "cup"},
           {"fill", "fills", "", "change"},
           {"empty", "empties", "", "remove"},
           "empty",
           "full",
           false},
    Change{{"candle", "candle", "candle", "candle"},
           {"light", "lights", "", "ignite"},
           {"extinguish", "extinguishes", "", "end"},
           "unlit",
           "lit",
           false},
    Change{{"lamp", "lamp", "lamp", "lamp"},
           {"switch on", "switches", "on", "change"},
           {"switch off", "switches", "off", "change"},
           "dark",
           "bright",
           false},
    Change{{"balloon", "balloon", "balloon", "balloon"},
           {"inflate", "inflates", "", "expand"},
           {"deflate", "deflates", "", "contract"},
           "flat",
           "round",
           false},
    Change{{"balloon", "kite", "bird", "airplane"},
           {"rise", "rises", "", "move"},
           {"fall", "falls", "", "move"},
           "near the ground",
           "high up",
           true},
};

struct StateClip {
  const Change* change;
  const VerbForm* done;
  const VerbForm* undone;
  std::string_view before;
  std::string_view after;
  std::string object;  // "the red umbrella"
  Source source;
  JsonValue dataset_subidx;
  std::string path;
};

// Where the clip pretends to come from decides file and time fields (docs/spec/vilma.md 2.2, 2.5).
void draw_source(uint64_t seed, uint64_t index, StateClip& clip) {
  Rng rng = clip_stream(seed, "state-source", index);
  constexpr std::array<std::string_view, 5> kSets = {
      "coin", "something-something-v2", "youcook2", "star", "RareAct"};
  const std::string dataset(kSets.at(index % kSets.size()));
  const std::string id = video_id(seed, "state", index);
  Source& source = clip.source;
  source = {.dataset = dataset,
            .original_split = "test",
            .dataset_idx = id,
            .phenomenon = "change-of-state",
            .youtube_id = id,
            .video_file = "",
            .start_time = 0,
            .end_time = kSeconds};
  clip.path = fmt::format("youtube/{}.mp4", id);
  if (dataset == "coin") {
    source.start_time = 0.0;
    source.end_time = static_cast<double>(kSeconds);
    clip.dataset_subidx = 100 + rng.below(80);
  } else if (dataset == "youcook2") {
    source.original_split = "val";
    clip.dataset_subidx = rng.below(12);
  } else if (dataset == "something-something-v2") {
    const std::string number = fmt::to_string(100000 + index);
    source.original_split = "val";
    source.dataset_idx = number;
    source.youtube_id = "";
    source.video_file = number;
    source.end_time = nullptr;
    clip.path = fmt::format("something-something-v2/{}.webm", number);
  } else if (dataset == "star") {
    source.original_split = "val";
    source.youtube_id = "";
    source.video_file = fmt::format("S{:04d}", index);
    source.start_time = 0.0;
    source.end_time = static_cast<double>(kSeconds);
    clip.path = fmt::format("star/{}.mp4", source.video_file);
  } else {
    source.dataset_idx = index;
  }
}

// "Someone opens the red box" / "The balloon rises", without a full stop.
std::string action_text(const StateClip& clip, const VerbForm& form, std::string_view object) {
  if (clip.change->is_intransitive) return fmt::format("{} {}", object, form.third);
  const std::string_view gap = form.particle.empty() ? "" : " ";
  return fmt::format("someone {} {}{}{}", form.third, object, gap, form.particle);
}

std::string story(const StateClip& clip,
                  std::string_view first,
                  const VerbForm& form,
                  std::string_view last) {
  return fmt::format("Initially, {} is {}. Then, {}. At the end, {} is {}.",
                     clip.object,
                     first,
                     action_text(clip, form, clip.object),
                     clip.object,
                     last);
}

ItemRow row_of(Rng& rng,
               const StateClip& clip,
               uint64_t index,
               std::string_view kind,
               std::string_view caption,
               std::string_view foil,
               std::string_view what,
               std::string_view wrong,
               const JsonText& proficiency) {
  const JsonText change = python_object({{"verb", clip.done->verb},
                                         {"verb-hypernym", clip.done->hypernym},
                                         {"object", clip.object},
                                         {"pre-state", clip.before},
                                         {"post-state", clip.after},
                                         {"state-inverse", clip.undone->verb}});
  return {fmt::format("change-state-{}.json", kind),
          element_of(
              fmt::format("change-state-{}-{:04d}", kind, index),
              source_members(clip.source)
                  .add({{"dataset_subidx", clip.dataset_subidx},
                        {"original_sentence", fmt::format("{} {}", clip.done->verb, clip.object)},
                        {"change_of_state", change},
                        {"caption", caption},
                        {"foils", std::vector<std::string_view>{foil}},
                        {"class", what},
                        {"classes_foil", std::vector<std::string_view>{wrong}},
                        {"proficiency", proficiency},
                        {"mturk", drawn_crowd_votes(rng)}}))};
}

void add_rows(Rng& rng,
              const StateClip& clip,
              uint64_t index,
              std::string_view noun,
              std::string_view other,
              std::vector<ItemRow>& rows) {
  const std::string caption = sentence(action_text(clip, *clip.done, clip.object));
  const std::string foil = sentence(action_text(clip, *clip.undone, clip.object));
  const std::string wrong_object =
      clip.object.substr(0, clip.object.size() - noun.size()) + std::string(other);
  const double gruen = drawn_gruen(rng);
  const std::string wrong = sentence(action_text(clip, *clip.done, wrong_object));
  const JsonText proficiency = python_object({{"caption", caption},
                                              {"foils", std::vector<std::string>{wrong}},
                                              {"proficiency_test", "object"},
                                              {"mask_target", noun},
                                              {"predicted_word", other},
                                              {"model", "eyechart"},
                                              {"gruen_score", gruen},
                                              {"human", drawn_author_vote(rng)}});
  rows.push_back(row_of(
      rng, clip, index, "action", caption, foil, clip.done->verb, clip.undone->verb, proficiency));
  rows.push_back(row_of(rng,
                        clip,
                        index,
                        "prestate",
                        fmt::format("Initially, {} is {}.", clip.object, clip.before),
                        fmt::format("Initially, {} is {}.", clip.object, clip.after),
                        clip.before,
                        clip.after,
                        proficiency));
  rows.push_back(row_of(rng,
                        clip,
                        index,
                        "poststate",
                        fmt::format("At the end, {} is {}.", clip.object, clip.after),
                        fmt::format("At the end, {} is {}.", clip.object, clip.before),
                        clip.after,
                        clip.before,
                        proficiency));
  rows.push_back(row_of(rng,
                        clip,
                        index,
                        "inverse",
                        story(clip, clip.before, *clip.done, clip.after),
                        story(clip, clip.after, *clip.undone, clip.before),
                        clip.done->verb,
                        clip.undone->verb,
                        proficiency));
}

ClipScript script_of(Rng& rng, const Change& change, bool is_forward, Actor actor) {
  const double from = is_forward ? 0 : 1;
  const double x = 0.35 + 0.3 * rng.u01();
  if (change.is_intransitive) {
    const double low = 0.92;
    const double high = 0.42;
    actor.keys = {{0.8, x, is_forward ? low : high}, {3.2, x, is_forward ? high : low}};
    actor.is_grounded = false;
  } else {
    actor.keys = {{0.8, x, 0.88, 0, from}, {3.0, x, 0.88, 0, 1 - from}};
  }
  ClipScript script;
  script.backdrop = drawn_clip_backdrop(rng);
  script.actors = {std::move(actor)};
  script.frames_per_second = kRate;
  script.num_frames = kRate * kSeconds + 1;
  return script;
}

}  // namespace

VilmaClip state_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "state", index / 2);
  StateClip clip;
  clip.change = &kChanges.at(rng.below(kChanges.size()));
  const std::string_view noun = clip.change->things.at(rng.below(4));
  const bool is_forward = index % 2 == 0;
  clip.done = is_forward ? &clip.change->forward : &clip.change->backward;
  clip.undone = is_forward ? &clip.change->backward : &clip.change->forward;
  clip.before = is_forward ? clip.change->low : clip.change->high;
  clip.after = is_forward ? clip.change->high : clip.change->low;
  const Actor actor =
      drawn_actor(rng, *noun_index(noun), clip.change->is_intransitive ? 0.36 : 0.5);
  clip.object = "the " + coloured_noun(actor);
  draw_source(seed, index, clip);
  // The wrong object undergoes the same kind of change, or the language alone would give it away.
  constexpr std::array<std::string_view, 7> kOthers = {
      "box", "cup", "lamp", "bell", "book", "bird", "candle"};
  std::string_view other = noun;
  while (other == noun) other = kOthers.at(rng.below(kOthers.size()));
  VilmaClip made;
  add_rows(rng, clip, index + 1, noun, other, made.rows);
  made.path = clip.path;
  made.script = script_of(rng, *clip.change, is_forward, actor);
  return made;
}

}  // namespace snellen::eyechart::vilma
