// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/{decode,resample}.py. JSON lines in, JSON lines out:
//   {"do":"decode","file":F,"orient":bool}   -> {"width","height","sha256"} of the RGB bytes
//   {"do":"resize","file":F,"width","height","filter":0..5,"window":[x,y,w,h]|null}
//                                            -> the same, the levels of this machine compared too
// or {"error"} when ours refuses.
#include <array>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/hash.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/resample/resize.h"

namespace {

using Json = nlohmann::json;
using snellen::media::Image;

Json summary(const Image& image) {
  std::string_view bytes(reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size());
  return {{"width", image.width}, {"height", image.height}, {"sha256", snellen::sha256_hex(bytes)}};
}

Json decode(const Json& asked) {
  snellen::media::DecodeOptions options;
  options.apply_orientation = asked.value("orient", false);
  return summary(snellen::media::read_image(asked["file"].get<std::string>(), options).value());
}

Json resize(const Json& asked) {
  using snellen::media::SimdLevel;
  Image source = snellen::media::read_image(asked["file"].get<std::string>()).value();
  snellen::media::ResizeTarget target{asked["width"], asked["height"]};
  target.filter = static_cast<snellen::media::Filter>(asked["filter"].get<int>());
  if (!asked["window"].is_null()) {
    auto window = asked["window"].get<std::array<int, 4>>();
    target.window = {window[0], window[1], window[2], window[3]};
  }
  Image plain = snellen::media::resize(source, target, SimdLevel::kPlain);
  for (SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (!snellen::media::is_supported(level)) continue;
    if (snellen::media::resize(source, target, level) != plain)
      return {
          {"error", fmt::format("level {} differs from the plain one", static_cast<int>(level))}};
  }
  return summary(plain);
}

Json answer(const Json& asked) {
  try {
    return asked["do"] == "resize" ? resize(asked) : decode(asked);
  } catch (const snellen::Error& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);)
    fmt::print("{}\n", answer(Json::parse(line)).dump());
  return 0;
}
