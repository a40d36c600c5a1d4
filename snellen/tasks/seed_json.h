// SPDX-License-Identifier: Apache-2.0
// The result files of the papers hold one list per column with an entry per group. They are written
// in one pass over the groups and bounded memory: each list spills to a nameless file and the lists
// are joined at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"
#include "snellen/base/json_object.h"

namespace snellen::tasks {

// One JSON list that grows at its end. One thread at a time.
class SpillList {
 public:
  SpillList();
  ~SpillList();
  SpillList(const SpillList&) = delete;
  SpillList& operator=(const SpillList&) = delete;

  // `json` is one entry, already written as JSON.
  void add(std::string_view json);
  uint64_t size() const { return size_; }
  // Writes "[a, b, c]".
  void copy_to(AtomicFile& file);

 private:
  void spill();

  std::string buffer_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

// A JSON document built key by key in file order, then written whole.
class SeedJson {
 public:
  explicit SeedJson(NonFinite non_finite) : non_finite_(non_finite) {}

  // The list at a path of keys such as {"acc", "text_correct"}; made, with what is above it, on
  // first use.
  SpillList& list(const std::vector<std::string>& keys);
  // A value, already written as JSON.
  void put(const std::vector<std::string>& keys, std::string json);
  // An object with nothing in it.
  void put_empty_object(const std::vector<std::string>& keys);

  void add_float(const std::vector<std::string>& keys, double x) {
    list(keys).add(python_float(x, non_finite_));
  }
  void put_float(const std::vector<std::string>& keys, double x) {
    put(keys, python_float(x, non_finite_));
  }

  NonFinite non_finite() const { return non_finite_; }
  void write(const std::filesystem::path& path);

 private:
  struct Node {
    std::string key;
    std::string json;
    std::unique_ptr<SpillList> list;
    std::vector<std::unique_ptr<Node>> children;
  };

  Node& node(const std::vector<std::string>& keys);
  void write_node(AtomicFile& file, Node& node);

  NonFinite non_finite_;
  Node root_;
};

// "[0.1, 0.2]" as Python writes it.
inline std::string python_float_list(const std::vector<double>& values, NonFinite non_finite) {
  return JsonValue(values).written({.is_ascii = true, .non_finite = non_finite});
}
inline std::string python_string_list(const std::vector<std::string>& texts) {
  return JsonValue(texts).written(kAsciiJson);
}

}  // namespace snellen::tasks
