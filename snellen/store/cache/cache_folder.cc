// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/cache/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/descriptor.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/store/cache/segment.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "rows-1";  // another one for another layout
constexpr const char* kAbout = "about.txt";
constexpr size_t kMostAboutBytes = size_t{1} << 16;

// Every folder of a scope.
std::vector<fs::path> scope_folders(const fs::path& folder) {
  std::vector<fs::path> scopes;
  std::error_code ignored;
  for (fs::directory_iterator at(folder / kFormat, ignored), end; at != end;
       at.increment(ignored)) {
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) scopes.push_back(at->path());
  }
  std::sort(scopes.begin(), scopes.end());
  return scopes;
}

std::vector<CacheSegment> all_segments(const fs::path& folder) {
  std::vector<CacheSegment> all;
  for (const fs::path& scope : scope_folders(folder)) {
    std::vector<CacheSegment> some = segments_in(scope);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// The index first: rows without an index are only waste.
bool remove_segment(const CacheSegment& segment) {
  std::error_code failure;
  fs::remove(index_of(segment.rows), failure);
  if (!failure) fs::remove(segment.rows, failure);
  return !failure;
}

void remove_empty(const fs::path& scope) {
  if (!segments_in(scope).empty()) return;
  std::error_code ignored;
  std::vector<fs::path> left = {scope / kAbout};
  for (fs::directory_iterator at(scope, ignored), end; at != end; at.increment(ignored)) {
    if (at->path().extension() == ".index") left.push_back(at->path());  // its rows were deleted
  }
  for (const fs::path& path : left) fs::remove(path, ignored);
  fs::remove(scope, ignored);  // only when nothing is in it
}

Descriptor lock_of(const fs::path& folder, int how) {
  Descriptor lock(::open((folder / kFormat / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock.is_open() && ::flock(lock.get(), how) != 0) lock.close();
  return lock;
}

}  // namespace

fs::path scope_folder(const fs::path& folder, const ContentKey& scope) {
  return folder / kFormat / fmt::format("{:016x}{:016x}", scope.high, scope.low);
}

std::vector<CacheSegment> segments_in(const fs::path& scope) {
  std::vector<CacheSegment> segments;
  std::error_code failure;
  for (fs::directory_iterator at(scope, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() != ".rows") continue;
    std::error_code gone;
    CacheSegment segment{.rows = at->path(), .num_bytes = at->file_size(gone)};
    segment.used = at->last_write_time(gone);
    if (gone) continue;
    uint64_t index_bytes = fs::file_size(index_of(segment.rows), gone);
    if (!gone) {
      segment.num_bytes += index_bytes;
      segment.num_rows = index_bytes / sizeof(IndexRecord);
    }
    segments.push_back(std::move(segment));
  }
  std::sort(segments.begin(), segments.end(), [](const CacheSegment& a, const CacheSegment& b) {
    return a.used != b.used ? a.used > b.used : a.rows < b.rows;
  });
  return segments;
}

void write_about(const fs::path& scope, const std::string& about) {
  try {
    if (!fs::exists(scope / kAbout)) write_text_file(scope / kAbout, about + "\n", Sync::kLater);
  } catch (const std::exception&) {
    return;  // rows are found without it
  }
}

void mark_used(const fs::path& rows) {
  (void)::utimensat(
      AT_FDCWD, rows.c_str(), nullptr, 0);  // a folder that cannot be written: no matter
}

void drop_oldest(const fs::path& folder, uint64_t max_bytes) {
  std::vector<CacheSegment> segments = all_segments(folder);
  uint64_t total = 0;
  for (const CacheSegment& segment : segments) total += segment.num_bytes;
  if (total <= max_bytes) return;
  Descriptor lock = lock_of(folder, LOCK_EX | LOCK_NB);
  if (!lock.is_open()) return;
  std::sort(segments.begin(), segments.end(), [](const CacheSegment& a, const CacheSegment& b) {
    return a.used != b.used ? a.used < b.used : a.rows < b.rows;
  });
  uint64_t wanted = max_bytes - max_bytes / 10;
  for (const CacheSegment& segment : segments) {
    if (total <= wanted) break;
    if (remove_segment(segment)) total -= segment.num_bytes;
    remove_empty(segment.rows.parent_path());
  }
}

std::vector<CacheScope> scopes_of(const fs::path& folder) {
  std::vector<CacheScope> scopes;
  for (const fs::path& path : scope_folders(folder)) {
    CacheScope scope{.name = path.filename().string()};
    std::vector<CacheSegment> segments = segments_in(path);
    if (segments.empty()) continue;
    scope.used = segments.front().used;
    for (const CacheSegment& segment : segments) {
      scope.num_bytes += segment.num_bytes;
      scope.num_rows += segment.num_rows;
    }
    try {
      scope.about = read_text_file(path / kAbout, kMostAboutBytes);
    } catch (const Error&) {
      scope.about = "?";
    }
    scopes.push_back(std::move(scope));
  }
  std::sort(scopes.begin(), scopes.end(), [](const CacheScope& a, const CacheScope& b) {
    return a.used != b.used ? a.used > b.used : a.name < b.name;
  });
  return scopes;
}

Cleared clear_cache(const fs::path& folder) {
  Cleared cleared;
  std::error_code ignored;
  if (!fs::exists(folder / kFormat, ignored)) return cleared;
  Descriptor lock = lock_of(folder, LOCK_EX);
  uint64_t num_left = 0;
  for (const CacheSegment& segment : all_segments(folder)) {
    if (remove_segment(segment)) {
      cleared.num_rows += segment.num_rows;
      cleared.num_bytes += segment.num_bytes;
    } else {
      ++num_left;
    }
  }
  for (const fs::path& scope : scope_folders(folder)) remove_empty(scope);
  if (num_left > 0)
    throw Error{ErrorCode::kIo,
                fmt::format("{} files of the cache cannot be removed", num_left),
                folder.string(),
                "check who owns the folder"};
  return cleared;
}

}  // namespace snellen::store
