// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/sample_source.h"

#include <utility>

namespace snellen::training {

Sample joined(Sample first, Sample second, uint32_t num_frames) {
  auto visuals = static_cast<uint32_t>(first.pictures.size()) / num_frames;
  auto texts = static_cast<uint32_t>(first.texts.size());
  auto moved = [&](Match match) { return Match{match.visual + visuals, match.text + texts}; };
  bool both = !first.contrasts.empty() && !second.contrasts.empty();
  float share = both ? 0.5F : 1.0F;
  for (Contrast& contrast : first.contrasts) contrast.weight *= share;
  for (const Contrast& contrast : second.contrasts)
    first.contrasts.push_back(
        {moved(contrast.right), moved(contrast.wrong), contrast.weight * share});
  for (const Match& match : second.matches) first.matches.push_back(moved(match));
  for (media::Image& picture : second.pictures) first.pictures.push_back(std::move(picture));
  for (std::string& text : second.texts) first.texts.push_back(std::move(text));
  return first;
}

std::vector<Contrast> composition_contrasts() {
  return {{{0, 0}, {0, 1}, 0.25F},
          {{1, 1}, {1, 0}, 0.25F},
          {{0, 0}, {1, 0}, 0.25F},
          {{1, 1}, {0, 1}, 0.25F}};
}

std::vector<Contrast> relation_contrasts() {
  return {{{0, 0}, {0, 1}, 0.5F}, {{0, 0}, {0, 2}, 0.5F}};
}

}  // namespace snellen::training
