// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/vilma/vilma_item.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// ViLMA annotation files: one, or the union of several with disjoint ids. The files stay mapped and
// an item is parsed when it is asked for. Items are in lexicographic (byte) order of their ids, the
// order runners write results in. Const methods are safe from many threads.
class VilmaAnnotations {
 public:
  // Throws kNotFound, kInvalidInput for a file that is not one JSON object, and kInvalidInput for
  // an id that two files, or two entries of one, share, naming both.
  explicit VilmaAnnotations(std::span<const std::filesystem::path> files);

  size_t size() const { return places_.size(); }
  std::string_view id(size_t index) const;
  // Which of the files the item is from.
  size_t file(size_t index) const { return places_.at(index).file; }
  // "file: record 'id'".
  std::string where(size_t index) const;
  Result<VilmaItem> item(size_t index) const;

 private:
  struct Place {
    size_t file;
    size_t element;
  };
  std::vector<formats::JsonElements> files_;
  std::vector<Place> places_;
};

// Where an item belongs in the published table.
struct VilmaPlace {
  std::string task;     // "action_counting", ...
  std::string subtask;  // "counting-easy", "relations", ...
};

// How the stems of the published annotation files begin, in the order of the published table.
std::vector<std::string_view> vilma_file_names();

// By the name of a published annotation file, else by the item's phenomenon and id (a file of the
// user's own, or the built-in world's); nothing when neither tells.
std::optional<VilmaPlace> vilma_place_of(const std::filesystem::path& file,
                                         const VilmaItem& first_item);

}  // namespace snellen::annotations
