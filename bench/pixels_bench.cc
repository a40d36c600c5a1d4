// SPDX-License-Identifier: Apache-2.0
// The native side of tools/bench/pixels.py. Lines in, one line of JSON out for each:
//   bicubic PICTURE WIDTH HEIGHT TIMES THREADS   -> {"seconds", "sha256" of one result}
//   clip PICTURE CONFIG TIMES THREADS            -> {"seconds", "sha256" of one tensor's bytes}
// Every thread does TIMES items; `clip` starts from the file's bytes, held in memory.
#include <chrono>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/base/heap.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/media/resample/resize.h"

namespace {

namespace media = snellen::media;
using snellen::read_text_file;
using snellen::sha256_hex;

double seconds_of(int times, int num_threads, const std::function<void()>& item) {
  auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < num_threads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < times; ++i) item();
      });
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string hash_of(const void* data, size_t num_bytes) {
  return sha256_hex({static_cast<const char*>(data), num_bytes});
}

void bicubic(std::istream& words) {
  std::string file;
  media::ResizeTarget target;
  int times = 0;
  int threads = 0;
  words >> file >> target.width >> target.height >> times >> threads;
  const media::Image source = media::read_image(file).value();
  const media::Image once = media::resize(source, target);
  double seconds = seconds_of(times, threads, [&] { media::resize(source, target); });
  fmt::print("{{\"seconds\": {}, \"sha256\": \"{}\"}}\n",
             seconds,
             hash_of(once.pixels.data(), once.pixels.size()));
}

void clip(std::istream& words) {
  std::string file;
  std::string config;
  int times = 0;
  int threads = 0;
  words >> file >> config >> times >> threads;
  const std::string bytes = read_text_file(file);
  const media::ImageProcessor processor(
      media::parse_processor_config(read_text_file(config), config));
  auto tensor_of = [&] {
    return processor.process(media::decode_image(bytes, file).value()).value();
  };
  const media::PixelTensor once = tensor_of();
  double seconds = seconds_of(times, threads, tensor_of);
  fmt::print("{{\"seconds\": {}, \"sha256\": \"{}\"}}\n",
             seconds,
             hash_of(once.values.data(), once.values.size() * sizeof(float)));
}

}  // namespace

int main() {
  snellen::keep_freed_memory();  // as the program does
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    what == "bicubic" ? bicubic(words) : clip(words);
    std::fflush(stdout);
  }
  return 0;
}
