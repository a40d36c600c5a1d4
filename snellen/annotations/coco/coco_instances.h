// SPDX-License-Identifier: Apache-2.0
// instances_*.json of COCO (docs/spec/probe.md 6.4): images, categories and annotations, grouped by
// image without holding the annotations in memory.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

struct CocoImage {
  int64_t id = 0;
  std::string file_name;  // relative, stays inside its folder
  int width = 0;
  int height = 0;
};

struct CocoInstance {
  int64_t id = 0;
  int64_t image_id = 0;
  int64_t category_id = 0;
  std::array<double, 4> box = {};  // x, y, width, height
  std::string segmentation;        // JSON: polygons or run lengths
  std::string json;                // the whole annotation as Python's json writes it
};

// Const methods are safe from many threads. Memory is some 60 bytes per image and 8 an annotation.
class CocoInstances {
 public:
  // Throws kNotFound, or kInvalidInput for a file without the lists "images", "annotations" and
  // "categories" and for a bad category. Bad images, annotations of unknown images, and ids that
  // occur twice are left out and kept in bad_records().
  explicit CocoInstances(const std::filesystem::path& path);

  // Ascending ids.
  const std::vector<CocoImage>& images() const { return images_; }
  // The name of a category; nothing for an id the file does not declare.
  const std::string* category(int64_t id) const;
  // Category names by id.
  const std::map<int64_t, std::string>& categories() const { return categories_; }
  // Annotations of images()[image], as positions for instance(), in file order.
  std::vector<uint32_t> instances_of(size_t image) const;
  // An Error for a record that cannot be used: a box without area, a missing field, an unknown
  // category.
  Result<CocoInstance> instance(uint32_t position) const;
  std::string where(uint32_t position) const { return annotations_.where(position); }

  const std::vector<Error>& bad_records() const { return bad_records_; }

 private:
  void read_images(const std::filesystem::path& path);
  void read_categories(const std::filesystem::path& path);
  void group_annotations();

  formats::JsonElements annotations_;
  std::vector<CocoImage> images_;
  std::map<int64_t, std::string> categories_;
  struct Place {
    uint32_t image;
    uint32_t position;
  };
  std::vector<Place> places_;  // by image, then file order
  std::vector<Error> bad_records_;
};

}  // namespace snellen::annotations
