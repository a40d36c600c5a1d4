// SPDX-License-Identifier: Apache-2.0
// A few COCO-like pictures with annotations, for the tests of this folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/image.h"

namespace snellen::builders::probe_b {

// x, y, width, height and category of a rectangle.
struct Box {
  int image;
  int category;
  double x;
  double y;
  double width;
  double height;
};

class SmallCoco : public testing::Test {
 protected:
  static constexpr int kWidth = 40;
  static constexpr int kHeight = 30;

  SmallCoco()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "images");
  }

  // Images 1..n of 40 x 30 pixels with these rectangles; categories 1 person, 18 dog, 53 apple.
  std::filesystem::path instances(int num_images, const std::vector<Box>& boxes) {
    std::string images;
    for (int id = 1; id <= num_images; ++id) {
      images += fmt::format(R"({}{{"id": {}, "file_name": "{}.jpg", "width": 40, "height": 30}})",
                            id == 1 ? "" : ", ",
                            id,
                            id);
    }
    std::string annotations;
    for (const Box& box : boxes) {
      double right = box.x + box.width;
      double bottom = box.y + box.height;
      annotations += fmt::format(
          R"({}{{"id": {}, "image_id": {}, "category_id": {}, "iscrowd": 0, "area": {}, )"
          R"("bbox": [{}, {}, {}, {}], "segmentation": [[{}, {}, {}, {}, {}, {}, {}, {}]]}})",
          annotations.empty() ? "" : ", ",
          annotations.size() + 1,
          box.image,
          box.category,
          box.width * box.height,
          box.x,
          box.y,
          box.width,
          box.height,
          box.x,
          box.y,
          right,
          box.y,
          right,
          bottom,
          box.x,
          bottom);
    }
    std::filesystem::path path = folder_ / "instances.json";
    write_text_file(path,
                    fmt::format(R"({{"images": [{}], "annotations": [{}], "categories": [
                        {{"id": 1, "name": "person"}}, {{"id": 18, "name": "dog"}},
                        {{"id": 53, "name": "apple"}}]}})",
                                images,
                                annotations));
    return path;
  }

  void write_picture(const std::filesystem::path& path, int seed) {
    media::Image picture = media::Image::blank(kWidth, kHeight);
    for (size_t i = 0; i < picture.pixels.size(); ++i)
      picture.pixels[i] = static_cast<uint8_t>((i * 7 + static_cast<size_t>(seed) * 31) % 251);
    write_text_file(path, media::encode_png(picture));
  }

  std::filesystem::path folder_;
};

}  // namespace snellen::builders::probe_b
