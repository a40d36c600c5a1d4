// SPDX-License-Identifier: Apache-2.0
// For tests: pictures that carry a number which survives encoding, and videos of them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "snellen/base/scratch_folder.h"
#include "snellen/media/image.h"
#include "snellen/media/video/video_writer.h"

namespace snellen::media {

// Ten blocks of 16x16, white for a bit that is set; a moving grey line keeps frames apart.
inline Image numbered_image(int number, int width = 160, int height = 32) {
  Image image = Image::blank(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool is_white = y < 16 && x < 160 && (number >> (x / 16) & 1) != 0;
      const bool is_line = y >= 16 && x == number * 3 % width;
      for (size_t c = 0; c < 3; ++c) {
        image.row(y)[static_cast<size_t>(x) * 3 + c] = is_white ? 255 : is_line ? 128 : 0;
      }
    }
  }
  return image;
}

inline int number_of(const Image& image) {
  int number = 0;
  for (int bit = 0; bit < 10; ++bit) {
    const auto x = static_cast<size_t>(bit) * 16 + 8;
    if (image.row(8)[x * 3 + 1] > 127) number |= 1 << bit;
  }
  return number;
}

inline std::vector<int> numbers_of(const std::vector<Image>& images) {
  std::vector<int> numbers;
  for (const Image& image : images) numbers.push_back(number_of(image));
  return numbers;
}

using snellen::ScratchFolder;

// Frames 0, 1, ... at `rate`.
inline std::filesystem::path write_numbered(const std::filesystem::path& path,
                                            int count,
                                            Rational rate = {30, 1},
                                            int width = 160,
                                            int height = 32) {
  VideoWriter writer(path, {.rate = rate, .preset = "veryfast"});
  for (int i = 0; i < count; ++i) writer.write(numbered_image(i, width, height), i);
  writer.finish();
  return path;
}

// Frames 0, 1, ... each at its own millisecond.
inline std::filesystem::path write_at_times(const std::filesystem::path& path,
                                            const std::vector<int>& milliseconds) {
  VideoWriter writer(path, {.rate = {30, 1}, .time_base = {1, 1000}, .preset = "veryfast"});
  for (size_t i = 0; i < milliseconds.size(); ++i)
    writer.write(numbered_image(static_cast<int>(i)), milliseconds[i]);
  writer.finish();
  return path;
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::filesystem::path write_bytes(const std::filesystem::path& path,
                                         const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

// Runs the ffmpeg program with these arguments; false when it is absent or fails.
inline bool run_ffmpeg(const std::string& arguments) {
  const std::string command = "ffmpeg -v error -nostdin -y " + arguments + " 2>/dev/null";
  return std::system(command.c_str()) == 0;  // NOLINT(cert-env33-c): tests only, fixed words
}

}  // namespace snellen::media
