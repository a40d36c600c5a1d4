// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/work_memory.h"

#include <cstring>

namespace snellen::inference {

bool ProcessRows::find_row(const ContentKey& key, std::vector<float>& row) const {
  std::vector<std::byte> bytes;
  if (!rows_.find(key, bytes)) return false;
  row.resize(bytes.size() / sizeof(float));
  if (!row.empty()) std::memcpy(row.data(), bytes.data(), bytes.size());
  return true;
}

void ProcessRows::add_row(const ContentKey& key, std::span<const float> row) {
  rows_.add(key, std::as_bytes(row));
}

std::optional<Error> ProcessRows::failure(const ContentKey& key) const {
  std::lock_guard lock(mutex_);
  auto found = failures_.find(key);
  return found == failures_.end() ? std::nullopt : std::optional(found->second);
}

void ProcessRows::add_failure(const ContentKey& key, const Error& error) {
  std::lock_guard lock(mutex_);
  failures_.try_emplace(key, error);
}

std::optional<ContentKey> ProcessRows::content(const ContentKey& path) const {
  std::lock_guard lock(mutex_);
  auto found = contents_.find(path);
  return found == contents_.end() ? std::nullopt : std::optional(found->second);
}

void ProcessRows::add_content(const ContentKey& path, const ContentKey& content) {
  std::lock_guard lock(mutex_);
  contents_.try_emplace(path, content);
}

bool ProcessRows::note(const ContentKey& key) {
  std::lock_guard lock(mutex_);
  return noted_.insert(key).second;
}

}  // namespace snellen::inference
