// SPDX-License-Identifier: Apache-2.0
// Visual Genome v1.4 (docs/spec/probe.md 6.2), one image at a time. Files are mapped and split; a
// bad record is an Error that names file and record. Const methods are safe from many threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// As written in the file; empty where a name is missing.
struct VgRelationship {
  std::string subject;
  std::string predicate;
  std::string object;
};

struct VgRelationships {
  int64_t image_id = 0;
  std::vector<VgRelationship> relationships;
};

class VgRelationshipsFile {
 public:
  explicit VgRelationshipsFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<VgRelationships> image(size_t index) const;

 private:
  formats::JsonElements elements_;
};

struct VgObjects {
  int64_t image_id = 0;
  std::vector<std::string> names;  // one an object: `name`, else the first of `names`
};

class VgObjectsFile {
 public:
  explicit VgObjectsFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<VgObjects> image(size_t index) const;

 private:
  formats::JsonElements elements_;
};

struct VgImage {
  int64_t image_id = 0;
  std::optional<int64_t> coco_id;
};

class VgImageFile {
 public:
  explicit VgImageFile(std::filesystem::path path);
  const formats::JsonElements& elements() const { return elements_; }
  Result<VgImage> image(size_t index) const;

 private:
  formats::JsonElements elements_;
};

}  // namespace snellen::annotations
