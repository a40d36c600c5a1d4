// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace snellen::report {

// Numbers texts in order of first sight without keeping them: a 128-bit fingerprint each, about 24
// bytes a text whatever its length. One thread at a time.
class TextIndex {
 public:
  struct Entry {
    uint32_t number;
    bool is_new;
  };
  // Throws kInvalidInput beyond 2^32 - 2 texts.
  Entry add(std::string_view text);
  std::optional<uint32_t> find(std::string_view text) const;
  size_t size() const { return keys_.size(); }

 private:
  struct Fingerprint {
    uint64_t place;
    uint64_t check;
    bool operator==(const Fingerprint&) const = default;
  };
  static Fingerprint fingerprint_of(std::string_view text);
  // The place in the table that holds the key, or the free one where it belongs.
  size_t place_of(const Fingerprint& key) const;
  void grow();

  std::vector<Fingerprint> keys_;
  std::vector<uint32_t> table_;  // number + 1, 0 when free; a power of two long, at most half full
};

}  // namespace snellen::report
