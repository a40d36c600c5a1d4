// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/browse/column_file.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "snellen/base/content_key.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::store {
namespace {

constexpr std::string_view kStart = "snellen item columns 2\n";

class Writer {
 public:
  template <typename T>
  void add(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const uint64_t count = values.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
  }
  void add(const std::vector<std::string>& texts) {
    std::vector<uint64_t> sizes;
    std::vector<char> all;
    for (const std::string& text : texts) {
      sizes.push_back(text.size());
      all.insert(all.end(), text.begin(), text.end());
    }
    add(sizes);
    add(all);
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  bool take(std::vector<T>& values) {
    uint64_t count = 0;
    if (bytes_.size() < sizeof count) return false;
    std::memcpy(&count, bytes_.data(), sizeof count);
    bytes_.remove_prefix(sizeof count);
    if (count > bytes_.size() / sizeof(T)) return false;
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
    return true;
  }
  bool take(std::vector<std::string>& texts) {
    std::vector<uint64_t> sizes;
    std::vector<char> all;
    if (!take(sizes) || !take(all)) return false;
    size_t at = 0;
    for (const uint64_t size : sizes) {
      if (size > all.size() - at) return false;
      texts.emplace_back(all.data() + at, size);
      at += size;
    }
    return true;
  }

 private:
  std::string_view bytes_;
};

bool fits(const ItemColumns& c) {
  const size_t n = c.size();
  if (c.margins.size() != n || c.outcomes.size() != n || c.group.size() != n ||
      c.category.size() != n || c.tags_end.size() != n || c.item_keys.size() != n ||
      c.visual_keys.size() != n || c.by_margin.size() != n || c.by_key.size() != n)
    return false;
  for (size_t i = 0; i < n; ++i) {
    if (c.group[i] >= c.groups.size() || c.category[i] >= c.categories.size() ||
        c.tags_end[i] < (i == 0 ? 0 : c.tags_end[i - 1]) || c.by_margin[i] >= n ||
        c.by_key[i] >= n || c.outcomes[i] > ItemOutcome::kSkipped)
      return false;
  }
  if ((n == 0 ? 0 : c.tags_end.back()) != c.tags_of_rows.size()) return false;
  return std::all_of(c.tags_of_rows.begin(), c.tags_of_rows.end(), [&](uint16_t tag) {
    return tag < c.tags.size();
  });
}

}  // namespace

std::optional<ItemColumns> read_columns(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const FileBytes file(path);
  std::string_view bytes = file.bytes();
  ContentKey key;
  if (!bytes.starts_with(kStart) || bytes.size() < kStart.size() + sizeof key) return std::nullopt;
  bytes.remove_prefix(kStart.size());
  std::memcpy(&key, bytes.data(), sizeof key);
  bytes.remove_prefix(sizeof key);
  if (content_key(bytes) != key) return std::nullopt;
  ItemColumns c;
  std::vector<uint64_t> unreadable;
  Reader reader(bytes);
  const bool is_whole = reader.take(c.groups) && reader.take(c.categories) && reader.take(c.tags) &&
                        reader.take(c.ids) && reader.take(c.margins) && reader.take(c.outcomes) &&
                        reader.take(c.group) && reader.take(c.category) &&
                        reader.take(c.tags_end) && reader.take(c.tags_of_rows) &&
                        reader.take(c.item_keys) && reader.take(c.visual_keys) &&
                        reader.take(c.by_margin) && reader.take(c.by_key) &&
                        reader.take(unreadable) && unreadable.size() == 1 && fits(c);
  if (!is_whole) return std::nullopt;
  c.num_unreadable = unreadable.front();
  return c;
}

void write_columns(const ItemColumns& c, const std::filesystem::path& path) {
  Writer writer;
  writer.add(c.groups);
  writer.add(c.categories);
  writer.add(c.tags);
  writer.add(c.ids);
  writer.add(c.margins);
  writer.add(c.outcomes);
  writer.add(c.group);
  writer.add(c.category);
  writer.add(c.tags_end);
  writer.add(c.tags_of_rows);
  writer.add(c.item_keys);
  writer.add(c.visual_keys);
  writer.add(c.by_margin);
  writer.add(c.by_key);
  writer.add(std::vector<uint64_t>{c.num_unreadable});
  const ContentKey key = content_key(writer.bytes);
  AtomicFile file(path);
  file.write(kStart);
  file.write({reinterpret_cast<const char*>(&key), sizeof key});
  file.write(writer.bytes);
  file.commit(Sync::kLater);
}

}  // namespace snellen::store
