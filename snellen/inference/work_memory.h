// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "snellen/base/error.h"
#include "snellen/inference/rows/spill_store.h"

namespace snellen::inference {

// What a process has made of visuals and texts, for asks that come in parts: a rank is handed items
// again and again, and what two of its shares have in common is worked on once. Rows and failures
// are told apart by keys of their content. Safe from many threads.
class ProcessRows {
 public:
  explicit ProcessRows(const std::filesystem::path& folder)
      : rows_(folder, /*max_bytes=*/UINT64_MAX) {}

  bool find_row(const ContentKey& key, std::vector<float>& row) const;
  void add_row(const ContentKey& key, std::span<const float> row);

  // Why there is no row, and never will be.
  std::optional<Error> failure(const ContentKey& key) const;
  void add_failure(const ContentKey& key, const Error& error);

  // The content of a file that was read before, by the key of its path.
  std::optional<ContentKey> content(const ContentKey& path) const;
  void add_content(const ContentKey& path, const ContentKey& content);

  // A visual or text was met; false when that was noted before.
  bool note(const ContentKey& key);

 private:
  SpillStore rows_;
  mutable std::mutex mutex_;  // guards the following
  std::unordered_map<ContentKey, Error, ContentKeyHash> failures_;
  std::unordered_map<ContentKey, ContentKey, ContentKeyHash> contents_;
  std::unordered_set<ContentKey, ContentKeyHash> noted_;
};

}  // namespace snellen::inference
