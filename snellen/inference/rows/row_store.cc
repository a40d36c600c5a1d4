// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/row_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace snellen::inference {
namespace {

template <typename Map>
auto find_in(const Map& map, const ContentKey& key) {
  auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

ContentKey row_key(Unit unit, const ContentKey& visual, std::string_view text) {
  std::string content(1, static_cast<char>(unit));
  content.append(reinterpret_cast<const char*>(&visual), sizeof visual).append(text);
  return content_key(content);
}

RowStore::RowStore(const Options& options) {
  if (options.keeps_process_rows) process_ = std::make_unique<Process>(options.folder);
  if (options.scope) disk_ = std::make_unique<store::RowCache>(*options.scope);
}

RowStore::Origin RowStore::find(const ContentKey& key, std::vector<float>& row) const {
  std::vector<std::byte> bytes;
  if (process_ && process_->rows.find(key, bytes)) {
    row.resize(bytes.size() / sizeof(float));
    if (!row.empty()) std::memcpy(row.data(), bytes.data(), bytes.size());
    return Origin::kProcess;
  }
  return disk_ && disk_->find(key, row) ? Origin::kDisk : Origin::kNone;
}

void RowStore::add(const ContentKey& key, std::span<const float> row, Origin found) {
  if (!std::all_of(row.begin(), row.end(), [](float x) { return std::isfinite(x); })) return;
  if (process_ && found != Origin::kProcess) process_->rows.add(key, std::as_bytes(row));
  if (disk_ && found == Origin::kNone) disk_->add(key, row);
}

std::optional<Error> RowStore::failure(const ContentKey& name) const {
  if (!process_) return std::nullopt;
  std::lock_guard lock(process_->mutex);
  return find_in(process_->failures, name);
}

void RowStore::add_failure(const ContentKey& name, const Error& error) {
  if (!process_) return;
  std::lock_guard lock(process_->mutex);
  process_->failures.try_emplace(name, error);
}

std::optional<ContentKey> RowStore::content(const ContentKey& name) const {
  if (!process_) return std::nullopt;
  std::lock_guard lock(process_->mutex);
  return find_in(process_->contents, name);
}

void RowStore::add_content(const ContentKey& name, const ContentKey& content) {
  if (!process_) return;
  std::lock_guard lock(process_->mutex);
  process_->contents.insert_or_assign(name, content);
}

bool RowStore::note(const ContentKey& name) {
  if (!process_) return true;
  std::lock_guard lock(process_->mutex);
  return process_->noted.insert(name).second;
}

}  // namespace snellen::inference
