// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/cache/row_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/store/cache/cache_folder.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSegmentsOpen = 128;
constexpr size_t kMostRecords = size_t{1} << 24;         // of one scope, in memory
constexpr uint64_t kSegmentBytes = uint64_t{256} << 20;  // what is dropped at once

}  // namespace

RowCache::RowCache(RowCacheOptions options)
    : options_(std::move(options)), scope_folder_(scope_folder(options_.folder, options_.scope)) {
  load();
}

void RowCache::load() {
  for (const CacheSegment& segment : segments_in(scope_folder_)) {
    if (places_.size() >= kMostRecords) break;
    auto number = static_cast<uint32_t>(segments_.size());
    segments_.emplace_back(segment.rows, /*keeps_open=*/number < kSegmentsOpen);
    is_used_.emplace_back(false);
    for (const IndexRecord& record : segments_.back().records(kMostRecords - places_.size()))
      places_.push_back({record, number});
  }
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return a.record.key != b.record.key ? a.record.key < b.record.key : a.segment < b.segment;
  });
}

bool RowCache::find(const ContentKey& key, std::vector<float>& row) const {
  auto at = std::lower_bound(
      places_.begin(), places_.end(), key, [](const Place& place, const ContentKey& wanted) {
        return place.record.key < wanted;
      });
  // Two processes may have written the same row; one that is whole does.
  for (; at != places_.end() && at->record.key == key; ++at) {
    if (segments_[at->segment].read(at->record, row)) {
      is_used_[at->segment] = true;
      ++num_found_;
      return true;
    }
    ++num_damaged_;
  }
  return false;
}

void RowCache::add(const ContentKey& key, std::span<const float> row) {
  std::lock_guard lock(mutex_);
  if (!can_write_) return;
  try {
    if (!writer_) {
      writer_ = std::make_unique<SegmentWriter>(scope_folder_);
      write_about(scope_folder_, options_.about);
    }
    writer_->add(key, row);
    ++num_added_;
    if (writer_->wants_flush()) writer_->flush();
    if (writer_->num_bytes() >= std::min(kSegmentBytes, options_.max_bytes / 4)) {
      writer_->flush();
      writer_.reset();
      drop_oldest(options_.folder, options_.max_bytes);
    }
  } catch (const Error& error) {
    stop_writing(error.what());
  }
}

void RowCache::flush() {
  std::lock_guard lock(mutex_);
  try {
    if (writer_) writer_->flush();
  } catch (const Error& error) {
    stop_writing(error.what());
  }
}

void RowCache::stop_writing(const std::string& reason) {
  can_write_ = false;
  if (writer_) num_added_ -= std::min<uint64_t>(num_added_, writer_->num_waiting());
  writer_.reset();
  warnings_.push_back(
      fmt::format("the cache is not written: {}; results are not affected", reason));
}

RowCache::~RowCache() {
  std::lock_guard lock(mutex_);
  try {
    if (writer_) writer_->flush();
    bool has_written = num_added_ > 0;
    writer_.reset();
    for (size_t i = 0; i < segments_.size(); ++i) {
      if (is_used_[i]) mark_used(segments_[i].path());
    }
    if (has_written) drop_oldest(options_.folder, options_.max_bytes);
  } catch (const std::exception&) {
    return;  // nobody is left to be told; what is missing is computed again
  }
}

RowCache::Counts RowCache::counts() const {
  std::lock_guard lock(mutex_);
  return {.found = num_found_, .damaged = num_damaged_, .added = num_added_};
}

std::vector<std::string> RowCache::warnings() const {
  std::lock_guard lock(mutex_);
  return warnings_;
}

}  // namespace snellen::store
