// SPDX-License-Identifier: Apache-2.0
// Masks for tools/parity/masks.py: reads lines {"h","w","segmentations":[..]} and prints for each
// line the compressed strings, areas and boxes of all masks, of their union and intersection, and
// SHA-256 of the union's pixels, row by row.
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "snellen/base/hash.h"
#include "snellen/media/masks/mask.h"
#include "snellen/media/masks/segmentation.h"

namespace {

using nlohmann::json;
using snellen::media::MergeRule;
using snellen::media::Rle;

json described(const Rle& rle) {
  snellen::media::MaskBox box = box_of(rle);
  return {{"counts", string_of(rle)},
          {"area", area_of(rle)},
          {"bbox", {box.x, box.y, box.width, box.height}}};
}

json answer(const json& request) {
  std::vector<Rle> masks;
  json out = {{"masks", json::array()}};
  for (const json& segmentation : request["segmentations"]) {
    masks.push_back(
        snellen::media::rle_of_segmentation(segmentation.dump(), request["h"], request["w"])
            .value());
    out["masks"].push_back(described(masks.back()));
  }
  Rle united = merge(masks);
  out["union"] = described(united);
  out["intersection"] = described(merge(masks, MergeRule::kIntersection));
  snellen::media::Mask pixels = mask_of(united);
  out["pixels"] =
      snellen::sha256_hex({reinterpret_cast<const char*>(pixels.bits.data()), pixels.bits.size()});
  out["encoded"] = string_of(rle_of(pixels));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  std::string line;
  while (std::getline(file, line)) std::cout << answer(json::parse(line)).dump() << "\n";
  return 0;
}
