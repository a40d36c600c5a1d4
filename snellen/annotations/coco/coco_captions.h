// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "snellen/base/error.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

struct CocoCaption {
  int64_t id = 0;
  int64_t image_id = 0;
  std::string caption;
};

// captions_{train,val}2014.json, one caption at a time (docs/spec/probe.md 6.3). Const methods are
// safe from many threads.
class CocoCaptionsFile {
 public:
  // Longer than any caption a person wrote; more is a damaged record.
  static constexpr size_t kLongestCaption = 32768;

  // Throws kNotFound, or kInvalidInput for a file without a list "annotations".
  explicit CocoCaptionsFile(std::filesystem::path path);

  const formats::JsonElements& elements() const { return elements_; }
  Result<CocoCaption> caption(size_t index) const;

 private:
  formats::JsonElements elements_;
};

// By image id: the `file_name` of those images of a COCO file that are not called as in COCO's
// val2014, because somebody brought pictures of their own. A file without "images" has none.
std::map<int64_t, std::string> own_file_names(const std::filesystem::path& path);

}  // namespace snellen::annotations
