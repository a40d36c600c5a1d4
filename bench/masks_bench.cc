// SPDX-License-Identifier: Apache-2.0
// Masks and compositing for tools/bench/masks.py:
//   masks_bench CASES.json PICTURE.rgb CANVAS.rgb RUNS [OUT.rgb]
// CASES holds {"h","w","images":[{"polygons":[[..],..],"patch":[x,y,w,h]}]}. For each image: the
// mask of all polygons, the picture with its background replaced and the picture with its patch.
// Prints the seconds of each run on one thread and on two (each does all of it), taking turns, and
// writes all pictures of one run, untimed, where asked.
#include <chrono>
#include <fstream>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/base/heap.h"
#include "snellen/media/masks/composite.h"
#include "snellen/media/masks/polygon.h"

namespace {

using nlohmann::json;
using namespace snellen::media;  // NOLINT(google-build-using-namespace): one small program

struct Work {
  int height = 0;
  int width = 0;
  std::vector<std::vector<std::vector<double>>> polygons;  // [image][polygon][coordinate]
  std::vector<PatchPlace> patches;
};

Work read_work(const char* path) {
  json cases = json::parse(snellen::read_text_file(path));
  Work work{.height = cases["h"], .width = cases["w"], .polygons = {}, .patches = {}};
  for (const json& image : cases["images"]) {
    work.polygons.push_back(image["polygons"]);
    const json& patch = image["patch"];
    work.patches.push_back({.x = patch[0], .y = patch[1], .width = patch[2], .height = patch[3]});
  }
  return work;
}

Image read_raw(const char* path, const Work& work) {
  Image image = Image::blank(work.width, work.height);
  std::string bytes = snellen::read_text_file(path);
  std::copy_n(bytes.begin(), image.pixels.size(), image.pixels.begin());
  return image;
}

template <typename Take>
void make_all(const Work& work, const Image& picture, const Image& canvas, Take take) {
  std::vector<Rle> parts;
  for (size_t i = 0; i < work.polygons.size(); ++i) {
    parts.clear();
    for (const std::vector<double>& polygon : work.polygons[i])
      parts.push_back(rle_of_polygon(polygon, work.height, work.width).value());
    Mask objects = mask_of(merge(parts));
    take(keep_marked(picture, objects, canvas));
    take(paste_patch(picture, work.patches[i], canvas));
  }
}

double seconds_on(size_t num_threads, const Work& work, const Image& picture, const Image& canvas) {
  auto begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < num_threads; ++t) {
      threads.emplace_back([&] {
        size_t num_bytes = 0;
        auto count = [&](const Image& made) { num_bytes += made.pixels.size(); };
        make_all(work, picture, canvas, count);
      });
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  snellen::keep_freed_memory();  // as the program does
  Work work = read_work(argv[1]);
  Image picture = read_raw(argv[2], work);
  Image canvas = read_raw(argv[3], work);
  json seconds = json::array();
  for (int run = 0; run < std::atoi(argv[4]); ++run) {
    double one = seconds_on(1, work, picture, canvas);
    seconds.push_back({one, seconds_on(2, work, picture, canvas)});
  }
  if (argc > 5) {
    std::ofstream out(argv[5], std::ios::binary);
    make_all(work, picture, canvas, [&](const Image& made) {
      out.write(reinterpret_cast<const char*>(made.pixels.data()),
                static_cast<std::streamsize>(made.pixels.size()));
    });
  }
  std::cout << json{{"seconds", seconds}}.dump() << "\n";
  return 0;
}
