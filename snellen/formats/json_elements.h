// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"

namespace snellen::formats {

// The top-level elements of one JSON array or object of any size: the file is mapped, split once
// into byte ranges, and each element is parsed only when it is asked for. Memory is 8 bytes an
// element of an array and 24 of an object, whatever its size. The splitter checks the outer
// structure (brackets, commas, keys, strings that end); what is inside an element is checked by
// whoever parses it. Const methods are safe from many threads.
class JsonElements {
 public:
  // Throws kNotFound, or kInvalidInput for anything but one array or object, naming the byte.
  explicit JsonElements(std::filesystem::path path);
  // The elements of the array under one key of the file's object, as COCO's files have "images" and
  // "annotations" beside each other; `outer/inner` names an array inside an inner object. The whole
  // file's structure is checked all the same.
  JsonElements(std::filesystem::path path, std::string_view key);

  const std::filesystem::path& path() const { return file_.path(); }
  bool is_object() const { return is_object_; }
  size_t size() const { return begins_.size(); }
  // The text of an element, without white space around it. Not followed by padding.
  std::string_view element(size_t index) const;
  // The key of an element of an object, unescaped; lives as long as this object.
  std::string_view key(size_t index) const;
  // "file: record K" or "file: record 'key'".
  std::string where(size_t index) const;

 private:
  struct Key {
    uint64_t begin;
    uint32_t length;
  };

  class Scanner;
  void split(std::string_view wanted_key);
  void split_values(Scanner& scan);
  void split_under(Scanner& scan, std::string_view wanted_key);
  void read_key(Scanner& scan, uint64_t& begin, uint64_t& end) const;
  void skip_value(Scanner& scan) const;
  void skip_comma(Scanner& scan) const;
  void keep_key(uint64_t begin, uint64_t end);
  [[noreturn]] void fail(uint64_t at, std::string_view what) const;
  // Releases the file's pages now and then: a file of any size takes a bounded part of the memory.
  void count_read(uint64_t num_bytes) const;

  MappedFile file_;
  std::shared_ptr<std::atomic<uint64_t>> num_read_ =
      std::make_shared<std::atomic<uint64_t>>(0);  // since pages were released
  bool is_object_ = false;
  std::vector<uint64_t>
      begins_;             // of each element; it ends before the comma that the next one needs
  uint64_t end_ = 0;       // of the last element
  std::vector<Key> keys_;  // of each element of an object
  std::map<size_t, std::string> escaped_keys_;  // only keys that hold a backslash
};

}  // namespace snellen::formats
