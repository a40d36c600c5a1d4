// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/clip_file.h"

#include <fmt/format.h>

#include "snellen/media/video/video_writer.h"

namespace snellen::eyechart {

void write_clip(const ClipScript& script, const std::filesystem::path& path) {
  media::VideoWriteOptions options;
  options.rate = {script.frames_per_second, 1};
  options.crf = 18;
  options.preset = "veryfast";
  media::VideoWriter writer(path, options);
  render_clip(script, [&](const media::Image& image, int frame) { writer.write(image, frame); });
  writer.finish();
}

std::string npy_of(std::span<const int> values) {
  std::string header =
      fmt::format("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}", values.size());
  // Magic, version and length take 10 bytes; the whole is a multiple of 64 and ends in a new line.
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xFFU);
  file += static_cast<char>(header.size() >> 8U);
  file += header;
  for (const int value : values) {
    auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
    for (int i = 0; i < 8; ++i, bits >>= 8U) file += static_cast<char>(bits & 0xFFU);
  }
  return file;
}

}  // namespace snellen::eyechart
