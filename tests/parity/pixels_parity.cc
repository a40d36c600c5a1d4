// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/decode.py. JSON lines in, JSON lines out:
//   {"do":"decode","file":F,"orient":bool}   -> {"width","height","sha256"} of the RGB bytes
// or {"error"} when ours refuses.
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/hash.h"
#include "snellen/media/codecs/decode.h"

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

Json answer(const Json& asked) {
  try {
    return decode(asked);
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
