// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/video.py.
//   video_parity frames FILE   one JSON line of facts, then one a frame: pts, SHA-256 of planes,
//   RGB
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/media/video/video_reader.h"

namespace {

using snellen::media::VideoReader;

std::string digest(const std::vector<uint8_t>& bytes) {
  return snellen::sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

int print_frames(const char* path) {
  auto reader = VideoReader::open(path).value();
  const auto& info = reader.info();
  fmt::print(
      "{{\"width\":{},\"height\":{},\"time_base\":[{},{}],\"rate\":[{},{}],\"rotation\":{}}}\n",
      info.width,
      info.height,
      info.time_base.num,
      info.time_base.den,
      info.average_rate.num,
      info.average_rate.den,
      info.rotation_degrees);
  while (true) {
    const auto frame = reader.next().value();
    if (frame.is_empty()) return 0;
    fmt::print("{{\"pts\":{},\"format\":\"{}\",\"planes\":\"{}\",\"rgb\":\"{}\"}}\n",
               frame.pts(),
               frame.pixel_format(),
               digest(frame.planes()),
               digest(reader.to_rgb(frame).value().pixels));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "frames") {
    try {
      return print_frames(argv[2]);
    } catch (const snellen::Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      return 1;
    }
  }
  fmt::print(stderr, "usage: video_parity frames FILE\n");
  return 2;
}
