// SPDX-License-Identifier: Apache-2.0
// Strings to numbers: an open-addressing table over one block of bytes. Built once, then const and
// safe from many threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

class StringTable {
 public:
  static constexpr int32_t kAbsent = -1;

  // Sets the value of `key`, which must not be negative; a later value replaces an earlier one.
  // Gives the index of the key.
  size_t set(std::string_view key, int32_t value);
  int32_t find(std::string_view key) const;

  size_t size() const { return entries_.size(); }
  size_t longest_key() const { return longest_; }
  // Keys in the order they came.
  std::string_view key(size_t index) const {
    return std::string_view(bytes_).substr(entries_[index].offset, entries_[index].length);
  }
  int32_t value(size_t index) const { return entries_[index].value; }

 private:
  struct Entry {
    size_t offset;
    uint32_t length;
    int32_t value;
    uint64_t hash;
  };
  size_t slot_of(std::string_view key, uint64_t hash) const;
  void grow();

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  // index + 1 of an entry, 0 when free; a power of two of them
  size_t longest_ = 0;
};

}  // namespace snellen::text
