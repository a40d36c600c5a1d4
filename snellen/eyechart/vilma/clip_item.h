// SPDX-License-Identifier: Apache-2.0
// A clip with the ViLMA items that are asked about it (docs/spec/vilma.md 2), and what all kinds
// share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/json_object.h"
#include "snellen/base/rng.h"
#include "snellen/eyechart/world/motion.h"

namespace snellen::eyechart::vilma {

// An element of an annotation file: `"id": {...}`.
struct ItemRow {
  std::string file;  // "relations.json"
  std::string text;
};

struct VilmaClip {
  std::string path;  // of the video, below the vilma folder
  ClipScript script;
  std::vector<ItemRow> rows;
  std::vector<int> repetition_ends;  // counting: frames, for the .npy file beside the video
};

// Clips come in groups that share their words: two (or three, or four) clips after each other show
// the same things in the same place, and the caption of one is the foil of another. So every text
// is right as often as it is wrong, and a model that reads the texts alone is at chance. Each draws
// from the stream "{seed}|eyechart-clip|{kind}|{group}" and a group's clips have the same votes.
// Equal for equal arguments.
VilmaClip counting_clip(uint64_t seed, uint64_t index);
VilmaClip action_clip(uint64_t seed, uint64_t index);    // SRL: action replacement
VilmaClip swapping_clip(uint64_t seed, uint64_t index);  // SRL: actor swapping
VilmaClip state_clip(uint64_t seed, uint64_t index);     // one clip, four items
VilmaClip rare_clip(uint64_t seed, uint64_t index);      // one clip, a verb item and a noun item
VilmaClip relation_clip(uint64_t seed, uint64_t index);

// The templates and wrong actions that the counting builder reads (docs/spec/vilma.md 7.1, 7.2),
// for this many counting clips: an element of quva-templates.json, of quva-templates-processed.json
// and of quva-proficiency-foils.json each.
struct CountingSources {
  std::string templates;
  std::string processed;
  std::string foils;
};
CountingSources counting_sources(uint64_t seed, uint64_t index);

// What the builder of rare actions reads (docs/spec/vilma.md 7.6): a line of rareact.csv for a rare
// clip, and the words that stand in for those of language models, the same for every world.
inline constexpr std::string_view kRareActColumns = "id,video_id,start,end,verb,noun,annotation\n";
std::string rareact_line(uint64_t seed, uint64_t index);
std::string rare_candidates();

// --- what the kinds share ---

Rng clip_stream(uint64_t seed, std::string_view kind, uint64_t index);

// Eleven characters as YouTube has them, another one for each clip of a kind.
std::string video_id(uint64_t seed, std::string_view kind, uint64_t index);

// {"foil": .., "caption": .., "other": ..}: of three crowd workers, four times in five at least two
// for the caption; of the one author, nine times in ten for it.
JsonText drawn_crowd_votes(Rng& rng);
JsonText drawn_author_vote(Rng& rng);

// A grammaticality between 0.80 and 0.90.
double drawn_gruen(Rng& rng);

// Keys that come first in every item.
struct Source {
  std::string dataset;
  std::string original_split;
  JsonValue dataset_idx;
  std::string phenomenon;  // empty: none (counting)
  std::string youtube_id;  // empty: null
  std::string video_file;  // empty: null
  JsonValue start_time;
  JsonValue end_time;
  std::string time_unit = "sec";
};
JsonObject source_members(const Source& source);

// An element of an annotation file: `"id": {...}`.
std::string element_of(std::string_view id, const JsonObject& item);

// A place and an actor of a noun that stands on its ground.
Backdrop drawn_clip_backdrop(Rng& rng);
Actor drawn_actor(Rng& rng, size_t noun, double side);
// "red dog": colour and noun. A person's colour is the shirt's, so that it is not said.
std::string coloured_noun(const Actor& actor);
// "a red dog", "an orange cat".
std::string coloured_phrase(const Actor& actor);

}  // namespace snellen::eyechart::vilma
