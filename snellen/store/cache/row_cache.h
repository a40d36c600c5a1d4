// SPDX-License-Identifier: Apache-2.0
// Rows of floats that were once computed, by what they were computed from: embeddings and scores of
// models, kept between runs. Content-addressed, bounded in size, shared by any number of processes.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/store/cache/segment.h"

namespace snellen::store {

struct RowCacheOptions {
  std::filesystem::path folder;  // the cache of this user
  uint64_t max_bytes = 0;        // of the whole cache
  ContentKey scope;              // everything but the content that decides a row: model and machine
  std::string about = {};        // the scope in words, for people
};

// A cache never fails: what cannot be read is absent, what cannot be written is not kept, and
// warnings() says why. Rows added by this process are found by the next one. Safe from many
// threads.
class RowCache {
 public:
  explicit RowCache(RowCacheOptions options);
  // Writes what is left and drops the segments that were not used for longest when there is too
  // much.
  ~RowCache();
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  // False when it is absent or damaged; `row` is then anything.
  bool find(const ContentKey& key, std::vector<float>& row) const;
  void add(const ContentKey& key, std::span<const float> row);
  // Writes what waits, so that warnings() knows whether there was room.
  void flush();

  struct Counts {
    uint64_t found = 0;
    uint64_t damaged = 0;
    uint64_t added = 0;
  };
  Counts counts() const;
  std::vector<std::string> warnings() const;

 private:
  struct Place {
    IndexRecord record;
    uint32_t segment = 0;
  };
  void load();
  void stop_writing(const std::string& reason);

  const RowCacheOptions options_;
  std::filesystem::path scope_folder_;
  std::vector<Segment> segments_;
  std::vector<Place> places_;                      // by key
  mutable std::deque<std::atomic<bool>> is_used_;  // by segment
  mutable std::atomic<uint64_t> num_found_ = 0;
  mutable std::atomic<uint64_t> num_damaged_ = 0;
  mutable std::mutex mutex_;  // guards the following
  std::unique_ptr<SegmentWriter> writer_;
  bool can_write_ = true;
  uint64_t num_added_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace snellen::store
