// SPDX-License-Identifier: Apache-2.0
// Rows of pictures and clips in which every byte is the same, as `--control gray` shows them: one
// such picture is like another of its size, whatever file it was made from. Safe from many threads.
#pragma once

#include <algorithm>
#include <compare>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "snellen/inference/visuals/visual_reader.h"

namespace snellen::inference {

class UniformRows {
 public:
  struct Key {
    int64_t num_frames;
    int64_t height;
    int64_t width;
    uint8_t value;
    auto operator<=>(const Key&) const = default;
  };

  // Nothing where bytes differ, or where somebody else decodes them.
  static std::optional<Key> key_of(const VisualPixels& pixels) {
    const std::vector<uint8_t>& bytes = pixels.bytes;
    if (bytes.empty() || pixels.is_masked ||
        std::any_of(bytes.begin(), bytes.end(), [&](uint8_t one) { return one != bytes.front(); }))
      return std::nullopt;
    return Key{pixels.num_frames, pixels.height, pixels.width, bytes.front()};
  }

  bool has(const Key& key) const {
    std::lock_guard lock(mutex_);
    return rows_.contains(key);
  }
  // Empty where there is none yet.
  std::vector<float> find(const Key& key) const {
    std::lock_guard lock(mutex_);
    const auto found = rows_.find(key);
    return found == rows_.end() ? std::vector<float>() : found->second;
  }
  void add(const Key& key, std::span<const float> row) {
    std::lock_guard lock(mutex_);
    rows_.try_emplace(key, row.begin(), row.end());
  }

 private:
  mutable std::mutex mutex_;  // guards the rest
  std::map<Key, std::vector<float>> rows_;
};

}  // namespace snellen::inference
