// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/builder.h"

#include <fmt/format.h>

#include "snellen/base/json_object.h"
#include "snellen/base/rng.h"

namespace snellen::builders::probe_c {
std::string prompt_of(const Lexicon& lexicon, const Pair& pair) {
  return fmt::format(
      "A photo of a {} {}.", lexicon.attribute(pair.attribute), lexicon.noun(pair.noun));
}

void append_json(std::string& out, const CaptionIndex& index, const SwitchGroup& group) {
  const Lexicon& lexicon = index.lexicon();
  JsonObject json = {{"img1_prompt", prompt_of(lexicon, group.pair1)},
                     {"img1_id", std::to_string(index.id(group.image1))},
                     {"img1_composition", lexicon.attribute(group.pair1.attribute)},
                     {"img1_object", lexicon.noun(group.pair1.noun)},
                     {"img2_id", index.id(group.image2)},
                     {"img2_prompt", prompt_of(lexicon, group.pair2)},
                     {"img2_composition", lexicon.attribute(group.pair2.attribute)},
                     {"img2_object", lexicon.noun(group.pair2.noun)}};
  for (const auto& [key, image] :
       {std::pair{"img1_file", group.image1}, std::pair{"img2_file", group.image2}})
    if (!index.own_file(image).empty()) json.add({{key, index.own_file(image)}});
  out += json.as_ascii().text;
}

std::vector<SwitchGroup> Builder::groups(SwitchSplit split, uint32_t image) const {
  std::vector<SwitchGroup> found;
  for (const Pair& pair : index_.pairs_of(image)) {
    if (split == SwitchSplit::kComposition) {
      add_composition(image, pair, found);
    } else {
      add_objects(image, pair, found);
    }
  }
  return found;
}

void Builder::add_composition(uint32_t image,
                              const Pair& pair,
                              std::vector<SwitchGroup>& groups) const {
  const Lexicon& lexicon = index_.lexicon();
  for (uint32_t antonym : lexicon.antonyms(pair.attribute)) {
    if (index_.has(image, antonym, pair.noun)) continue;
    Pair foil{.attribute = antonym, .noun = pair.noun};
    Rng stream(fmt::format("{}|probe-c-comp|{}|{}|{}|{}",
                           options_.seed,
                           index_.id(image),
                           lexicon.attribute(pair.attribute),
                           lexicon.noun(pair.noun),
                           lexicon.attribute(antonym)));
    auto other = stream.sample_filtered<uint32_t>(index_.images_with(foil), 1, [&](uint32_t j) {
      return j != image && !index_.has(j, pair.attribute, pair.noun);
    });
    if (!other) continue;
    groups.push_back({.image1 = image, .pair1 = pair, .image2 = other->front(), .pair2 = foil});
    return;
  }
}

void Builder::add_objects(uint32_t image,
                          const Pair& pair,
                          std::vector<SwitchGroup>& groups) const {
  const Lexicon& lexicon = index_.lexicon();
  Rng stream(fmt::format("{}|probe-c-obj|{}|{}|{}",
                         options_.seed,
                         index_.id(image),
                         lexicon.attribute(pair.attribute),
                         lexicon.noun(pair.noun)));
  std::span<const uint32_t> nouns = index_.nouns_with(pair.attribute);
  auto order = stream.sample_filtered<uint32_t>(nouns, nouns.size(), [](uint32_t) { return true; });
  uint64_t num_made = 0;
  for (uint32_t noun : *order) {
    if (num_made >= options_.object_switch_per_pair) return;
    if (noun == pair.noun || index_.mentions(image, noun)) continue;
    Pair foil{.attribute = pair.attribute, .noun = noun};
    auto other = stream.sample_filtered<uint32_t>(index_.images_with(foil), 1, [&](uint32_t j) {
      return j != image && !index_.mentions(j, pair.noun);
    });
    if (!other) continue;
    groups.push_back({.image1 = image, .pair1 = pair, .image2 = other->front(), .pair2 = foil});
    ++num_made;
  }
}

}  // namespace snellen::builders::probe_c
