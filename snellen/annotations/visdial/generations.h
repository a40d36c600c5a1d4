// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// Generated answers per dialog round (VisDial gens.json): every entry is checked when the file is
// opened, and only its key is kept; the texts are read again when they are asked for, so memory
// does not grow with them. Const methods are safe from many threads.
class Generations {
 public:
  // Throws kNotFound, or kInvalidInput as "file: entry K: reason" for the first thing that is
  // wrong, entries counted from 0: file and JSON first, then every entry by itself, then a key that
  // comes twice.
  explicit Generations(std::filesystem::path path);

  const std::filesystem::path& path() const { return elements_.path(); }
  size_t size() const { return entries_.size(); }
  // Keys with their places in the file, sorted by key.
  std::span<const KeyedEntry> entries() const { return entries_; }
  // The answers of an entry of the file, as written; may be empty.
  std::vector<std::string> texts(size_t entry) const;

 private:
  formats::JsonElements elements_;
  std::vector<KeyedEntry> entries_;
};

}  // namespace snellen::annotations
