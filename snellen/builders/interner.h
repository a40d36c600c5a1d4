// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snellen::builders {

// Numbers texts from 0 in the order they are first met. Const methods are safe from many threads.
class Interner {
 public:
  Interner() = default;
  Interner(Interner&&) = default;
  Interner& operator=(Interner&&) = default;
  // A copy's texts would point into the original.
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;
  ~Interner() = default;

  uint32_t number_of(std::string_view text) {
    auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    auto number = static_cast<uint32_t>(texts_.size());
    // Nodes of the map do not move, so their keys can be pointed at.
    auto added = numbers_.emplace(std::string(text), number).first;
    texts_.push_back(&added->first);
    return number;
  }
  const std::string& text(uint32_t number) const { return *texts_.at(number); }
  size_t size() const { return texts_.size(); }

  // Numbers in the order of their texts' bytes.
  std::vector<uint32_t> sorted() const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> texts_;
};

}  // namespace snellen::builders
