// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/video.py.
//   video_parity frames FILE   one JSON line of facts, then one a frame: pts, SHA-256 of planes,
//   RGB
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/media/video/clip.h"
#include "snellen/media/video/constant_rate.h"
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

int print_rate(const char* path, int fps) {
  auto reader = VideoReader::open(path).value();
  snellen::media::ConstantRate ticks(reader.info().time_base, {fps, 1});
  snellen::media::VideoFrame last;
  while (true) {
    auto frame = reader.next().value();
    const bool is_end = frame.is_empty();
    const int64_t count =
        is_end ? ticks.finish(last.pts() + last.duration()) : ticks.next(frame.pts());
    for (int64_t i = 0; i < count; ++i) fmt::print("{}\n", digest(last.planes()));
    if (is_end) return 0;
    last = std::move(frame);
  }
}

int print_window(const char* path, double start, double end, bool is_compat) {
  const auto clip = snellen::media::read_clip(
                        path, {start, end}, snellen::media::all_frames, {.is_compat = is_compat})
                        .value();
  for (const auto& image : clip.frames) fmt::print("{}\n", digest(image.pixels));
  return 0;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "frames") return print_frames(words[1].c_str());
  if (words.size() == 3 && words[0] == "rate")
    return print_rate(words[1].c_str(), std::stoi(words[2]));
  if (words.size() == 5 && words[0] == "window") {
    return print_window(
        words[1].c_str(), std::stod(words[2]), std::stod(words[3]), words[4] == "compat");
  }
  fmt::print(stderr, "usage: video_parity frames|rate|window FILE ...\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const snellen::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
