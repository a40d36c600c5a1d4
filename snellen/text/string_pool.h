// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

// Distinct strings, each kept once in one block of bytes and named by a number: 0, 1, 2 in the
// order they came. Costs the bytes of a string and about 20 more. Const methods are safe from many
// threads.
class StringPool {
 public:
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;

  uint32_t add(std::string_view text) { return add(text, hash(text)); }
  // kAbsent when it was never added.
  uint32_t find(std::string_view text) const { return find(text, hash(text)); }
  std::string_view operator[](uint32_t id) const {
    return std::string_view(bytes_).substr(begins_[id], begins_[id + 1] - begins_[id]);
  }
  size_t size() const { return begins_.size() - 1; }
  // Numbers in the order of their strings' bytes.
  std::vector<uint32_t> sorted() const;

  // For callers that hash apart from looking up.
  static uint64_t hash(std::string_view text);
  uint32_t add(std::string_view text, uint64_t hash);
  uint32_t find(std::string_view text, uint64_t hash) const;

 private:
  struct Slot {
    uint32_t id = kAbsent;
    uint32_t tag = 0;  // upper half of the hash, so that most misses never touch the bytes
  };
  // The slot that holds the text, or the free one where it belongs.
  size_t slot_of(std::string_view text, uint64_t hash) const;
  void grow();

  std::string bytes_;
  std::vector<uint64_t> begins_ = {0};
  std::vector<Slot> slots_ = std::vector<Slot>(16);
};

// Sets of strings, one set after the other: the reference answers of every entry, each distinct
// answer kept once.
class StringSets {
 public:
  // Adds an empty set; later strings belong to it.
  void start_set() { ends_.push_back(ids_.size()); }
  // Adds a string to the last set.
  void add(std::string_view text) {
    ids_.push_back(pool_.add(text));
    ends_.back() = ids_.size();
  }

  // Adds all sets of `other` after the own ones; the same as adding them one by one, so work can be
  // shared.
  void append(const StringSets& other);

  size_t size() const { return ends_.size(); }
  // Ids in pool(), in the order added, repeats kept.
  std::span<const uint32_t> ids(size_t set) const {
    size_t begin = set == 0 ? 0 : ends_[set - 1];
    return std::span(ids_).subspan(begin, ends_[set] - begin);
  }
  const StringPool& pool() const { return pool_; }

 private:
  StringPool pool_;
  std::vector<uint32_t> ids_;
  std::vector<size_t> ends_;
};

}  // namespace snellen::text
