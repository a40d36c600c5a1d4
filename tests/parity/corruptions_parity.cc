// SPDX-License-Identifier: Apache-2.0
// Corruptions for tools/parity/corruptions.py: reads lines {"w","h","pixels":hex, ...} with either
// "corruption", "seed" and "image" or "noise", "rule", "amount" and "numpy_seed", and prints the
// result's pixels in hex, one line each.
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "snellen/media/corruptions/corruption.h"
#include "snellen/media/corruptions/noise.h"

namespace {

using nlohmann::json;
using snellen::media::Image;

Image picture_of(const json& request) {
  Image image = Image::blank(request["w"], request["h"]);
  std::string hex = request["pixels"];
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return image;
}

Image answer(const json& request) {
  Image picture = picture_of(request);
  if (request.contains("corruption")) {
    std::string text = request["corruption"];
    std::string image = request["image"];
    return snellen::media::corrupted(snellen::media::corruption_of(text).value(),
                                     picture,
                                     {.seed = request["seed"], .image_id = image})
        .value();
  }
  snellen::media::NumpyStream stream(request["numpy_seed"].get<uint32_t>());
  std::string kind = request["noise"];
  if (kind == "pure") return snellen::media::pure_noise(picture.width, picture.height, stream);
  auto rule = request["rule"] == "reference" ? snellen::media::NoiseRule::kReference
                                             : snellen::media::NoiseRule::kOurs;
  return snellen::media::noised(
      picture, snellen::media::noise_kind_of(kind).value(), rule, request["amount"], stream);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  std::string line;
  while (std::getline(file, line)) {
    std::string out;
    for (uint8_t value : answer(json::parse(line)).pixels) out += fmt::format("{:02x}", value);
    std::cout << out << "\n";
  }
  return 0;
}
