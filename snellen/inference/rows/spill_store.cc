// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/spill_store.h"

#include <cerrno>

#include "snellen/inference/rows/nameless_file.h"

namespace snellen::inference {
namespace {

// Calls `transfer` (pread or pwrite) until all bytes are through; false when the disk will not.
template <typename Byte, typename Transfer>
bool move_all(int file, std::span<Byte> bytes, uint64_t offset, Transfer transfer) {
  while (!bytes.empty()) {
    const ssize_t moved = transfer(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(moved));
    offset += static_cast<uint64_t>(moved);
  }
  return true;
}

}  // namespace

bool SpillStore::find(const ContentKey& key, std::vector<std::byte>& bytes) const {
  Place place;
  int file = -1;
  {
    std::lock_guard lock(mutex_);
    auto found = places_.find(key);
    if (found == places_.end()) return false;
    place = found->second;
    file = file_.get();
  }
  bytes.resize(place.num_bytes);
  return move_all(file, std::span(bytes), place.offset, ::pread);
}

void SpillStore::add(const ContentKey& key, std::span<const std::byte> bytes) {
  Place place{.offset = 0, .num_bytes = bytes.size()};
  {
    std::lock_guard lock(mutex_);
    if (is_full_ || bytes.size() > max_bytes_ - end_ || places_.contains(key)) return;
    if (!file_.is_open()) file_ = open_nameless_file(folder_);
    is_full_ = !file_.is_open();
    if (is_full_) return;
    place.offset = end_;
    end_ += bytes.size();
  }
  // Outside of the lock, so that many threads write; the entry is there when its bytes are.
  const bool is_written = move_all(file_.get(), bytes, place.offset, ::pwrite);
  std::lock_guard lock(mutex_);
  if (is_written) {
    places_.try_emplace(key, place);
  } else {
    is_full_ = true;
  }
}

size_t SpillStore::size() const {
  std::lock_guard lock(mutex_);
  return places_.size();
}

}  // namespace snellen::inference
