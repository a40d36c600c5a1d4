// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/base/descriptor.h"

namespace snellen::inference {

// Bytes by key for as long as the process lives, in a nameless file: what lies here is no memory
// but its index, about 64 bytes an entry. Made to save work and never needed: where there is no
// room, nothing more is kept. Safe from many threads.
class SpillStore {
 public:
  // At most `max_bytes` are kept. The file is made with the first entry.
  SpillStore(std::filesystem::path folder, uint64_t max_bytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  // False when it was not kept; `bytes` is then anything.
  bool find(const ContentKey& key, std::vector<std::byte>& bytes) const;
  // What is there already stays as it is.
  void add(const ContentKey& key, std::span<const std::byte> bytes);
  size_t size() const;

 private:
  struct Place {
    uint64_t offset = 0;
    uint64_t num_bytes = 0;
  };

  const std::filesystem::path folder_;
  const uint64_t max_bytes_;
  mutable std::mutex mutex_;  // guards the following
  Descriptor file_;
  std::unordered_map<ContentKey, Place, ContentKeyHash> places_;
  uint64_t end_ = 0;
  bool is_full_ = false;
};

}  // namespace snellen::inference
