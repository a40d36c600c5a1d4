// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/vilma/clip_item.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/scene_draws.h"

namespace snellen::eyechart::vilma {
namespace {

JsonValue text_or_null(const std::string& text) {
  return text.empty() ? JsonValue() : JsonValue(text);
}

JsonText votes_json(uint64_t foil, uint64_t caption, uint64_t other) {
  return python_object({{"foil", foil}, {"caption", caption}, {"other", other}});
}

}  // namespace

Rng clip_stream(uint64_t seed, std::string_view kind, uint64_t index) {
  return Rng(seed).fork("eyechart-clip").fork(kind).fork(index);
}

std::string video_id(uint64_t seed, std::string_view kind, uint64_t index) {
  Rng rng = Rng(seed).fork("eyechart-clip-name").fork(kind).fork(index);
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::string id;
  for (int i = 0; i < 11; ++i) id += kLetters[rng.below(kLetters.size())];
  return id;
}

JsonText drawn_crowd_votes(Rng& rng) {
  const bool is_valid = rng.below(5) != 0;
  const uint64_t caption = is_valid ? 2 + rng.below(2) : rng.below(2);
  const uint64_t foil = rng.below(3 - caption + 1);
  return votes_json(foil, caption, 3 - caption - foil);
}

JsonText drawn_author_vote(Rng& rng) {
  if (rng.below(10) != 0) return votes_json(0, 1, 0);
  return rng.below(2) == 0 ? votes_json(1, 0, 0) : votes_json(0, 0, 1);
}

double drawn_gruen(Rng& rng) {
  return static_cast<double>(80000 + rng.below(10000)) / 100000;
}

JsonObject source_members(const Source& source) {
  JsonObject members = {{"dataset", source.dataset},
                        {"original_split", source.original_split},
                        {"dataset_idx", source.dataset_idx}};
  if (!source.phenomenon.empty()) members.add({{"linguistic_phenomena", source.phenomenon}});
  return members.add({{"youtube_id", text_or_null(source.youtube_id)},
                      {"video_file", text_or_null(source.video_file)},
                      {"start_time", source.start_time},
                      {"end_time", source.end_time},
                      {"time_unit", source.time_unit}});
}

std::string element_of(std::string_view id, const JsonObject& item) {
  return fmt::format("{}: {}", python_string(id), item.as_ascii().text);
}

Backdrop drawn_clip_backdrop(Rng& rng) {
  Backdrop backdrop = draw_backdrop(rng);
  backdrop.horizon = std::min(backdrop.horizon, 0.55);
  return backdrop;
}

Actor drawn_actor(Rng& rng, size_t noun, double side) {
  Actor actor;
  actor.noun = noun;
  actor.side = side;
  actor.look = draw_look(rng, nouns()[noun]);
  actor.look.size = Size::kMedium;
  actor.look.material = Material::kUsual;
  actor.look.state = 1;
  return actor;
}

std::string coloured_noun(const Actor& actor) {
  const Noun& noun = nouns()[actor.noun];
  if (noun.can(kFixedColour) || noun.name == "person") return std::string(noun.name);
  return fmt::format("{} {}", kColours.at(actor.look.colour).name, noun.name);
}

std::string coloured_phrase(const Actor& actor) {
  const std::string words = coloured_noun(actor);
  return fmt::format("{} {}", article_for(words), words);
}

}  // namespace snellen::eyechart::vilma
