// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"

namespace snellen::builders::vilma {

using Json = nlohmann::ordered_json;

// An annotation file as it is made: one object of items by id, laid out as Python's
// json.dump(items, indent=4) does. It appears whole when it is committed.
class ItemFile {
 public:
  explicit ItemFile(const std::filesystem::path& path) : path_(path), file_(path) {}

  // False when the id is there already; the first item stays.
  bool add(const std::string& id, const Json& item);
  // The same for an item that is JSON text already, in the layout of indent 4.
  bool add_text(const std::string& id, std::string_view item);
  void commit();

  uint64_t size() const { return ids_.size(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  AtomicFile file_;
  std::set<std::string> ids_;
};

}  // namespace snellen::builders::vilma
