// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/zip.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

constexpr std::string_view kEndRecord("PK\5\6", 4);
constexpr std::string_view kEndLocator64("PK\6\7", 4);
constexpr std::string_view kEndRecord64("PK\6\6", 4);
constexpr std::string_view kDirectoryEntry("PK\1\2", 4);
constexpr std::string_view kLocalEntry("PK\3\4", 4);
constexpr size_t kEndRecordBytes = 22;
constexpr size_t kEndLocator64Bytes = 20;
constexpr size_t kEndRecord64Bytes = 56;
constexpr size_t kDirectoryEntryBytes = 46;
constexpr size_t kLocalEntryBytes = 30;
constexpr size_t kMaxComment = 65535;
constexpr uint64_t kIn64 = 0xffffffff;  // the real value is in the zip64 record or field
constexpr uint64_t kIn64Short = 0xffff;
constexpr uint64_t kExtra64 = 1;  // id of the zip64 extra field
constexpr int kRawDeflate = -15;
constexpr uint64_t kStored = 0, kDeflate = 8, kZstd = 93;

[[noreturn]] void fail(std::string what, const std::string& where) {
  throw Error{ErrorCode::kInvalidInput, std::move(what), where, "download the file again"};
}

class Directory {
 public:
  Directory(std::string_view archive, const std::string& where)
      : archive_(archive), where_(where) {}

  std::vector<ZipEntry> read() const {
    std::vector<ZipEntry> entries;
    walk([&](uint64_t at, uint64_t name_bytes, uint64_t extra_bytes) {
      entries.push_back(entry_at(at, name_bytes, extra_bytes));
      return true;
    });
    check_names(entries);
    return entries;
  }

  std::optional<ZipEntry> find(std::string_view name) const {
    std::optional<ZipEntry> found;
    walk([&](uint64_t at, uint64_t name_bytes, uint64_t extra_bytes) {
      if (slice(at + kDirectoryEntryBytes, name_bytes) == name)
        found = entry_at(at, name_bytes, extra_bytes);
      return !found;
    });
    return found;
  }

 private:
  struct Place {
    uint64_t count = 0;
    uint64_t at = 0;
  };

  // Calls visit(place, bytes of the name, bytes of extra fields) until it gives false.
  template <typename Visit>
  void walk(Visit visit) const {
    auto [count, at] = find_directory();
    for (uint64_t i = 0; i < count; ++i) {
      need(at, kDirectoryEntryBytes, kDirectoryEntry);
      uint64_t name_bytes = u16(at + 28), extra_bytes = u16(at + 30);
      if (!visit(at, name_bytes, extra_bytes)) return;
      at += kDirectoryEntryBytes + name_bytes + extra_bytes + u16(at + 32);
    }
  }

  std::string_view slice(uint64_t at, uint64_t size) const {
    if (at > archive_.size() || size > archive_.size() - at)
      fail("the zip archive is cut short", where_);
    return archive_.substr(static_cast<size_t>(at), static_cast<size_t>(size));
  }

  void need(uint64_t at, uint64_t size, std::string_view signature) const {
    if (!slice(at, size).starts_with(signature))
      fail("the zip archive's directory is damaged", where_);
  }

  uint64_t little_endian(uint64_t at, size_t num_bytes) const {
    std::string_view bytes = slice(at, num_bytes);
    uint64_t value = 0;
    for (size_t i = num_bytes; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
    return value;
  }
  uint64_t u16(uint64_t at) const { return little_endian(at, 2); }
  uint64_t u32(uint64_t at) const { return little_endian(at, 4); }
  uint64_t u64(uint64_t at) const { return little_endian(at, 8); }

  Place find_directory() const {
    if (archive_.size() < kEndRecordBytes) fail("the zip archive is cut short", where_);
    size_t last = archive_.size() - kEndRecordBytes;
    size_t first = last > kMaxComment ? last - kMaxComment : 0;
    size_t found = archive_.substr(first).rfind(kEndRecord);
    if (found == std::string_view::npos || first + found > last)
      fail("the zip archive is cut short: it has no directory at its end", where_);
    uint64_t end = first + found;
    Place place{u16(end + 10), u32(end + 16)};
    if (place.count != kIn64Short && place.at != kIn64) return place;
    if (end < kEndLocator64Bytes) fail("the zip archive's directory is damaged", where_);
    uint64_t locator = end - kEndLocator64Bytes;
    // 65535 entries may also be just that, without a zip64 record.
    if (!slice(locator, kEndLocator64Bytes).starts_with(kEndLocator64)) return place;
    uint64_t record = u64(locator + 8);
    need(record, kEndRecord64Bytes, kEndRecord64);
    return {u64(record + 32), u64(record + 48)};
  }

  ZipEntry entry_at(uint64_t at, uint64_t name_bytes, uint64_t extra_bytes) const {
    ZipEntry entry;
    entry.name = slice(at + kDirectoryEntryBytes, name_bytes);
    uint64_t flags = u16(at + 8), method = u16(at + 10);
    if ((flags & 1) != 0) fail(fmt::format("entry '{}' is encrypted", entry.name), where_);
    if (method != kStored && method != kDeflate && method != kZstd) {
      fail(
          fmt::format("entry '{}' is packed with method {}, only stored, deflate and zstd are read",
                      entry.name,
                      method),
          where_);
    }
    entry.is_stored = method == kStored;
    entry.is_zstd = method == kZstd;
    entry.crc = static_cast<uint32_t>(u32(at + 16));
    uint64_t packed_bytes = u32(at + 20), local = u32(at + 42);
    entry.num_unpacked_bytes = u32(at + 24);
    // The zip64 field holds only those of the three that did not fit, in this order.
    uint64_t extra = at + kDirectoryEntryBytes + name_bytes;
    std::optional<Place> field = extra64(extra, extra_bytes);
    for (uint64_t* value : {&entry.num_unpacked_bytes, &packed_bytes, &local}) {
      if (*value != kIn64 || !field) continue;
      if (field->count < 8) fail("the zip archive's directory is damaged", where_);
      *value = u64(field->at);
      *field = {field->count - 8, field->at + 8};
    }
    entry.packed = content(entry, local, packed_bytes);
    return entry;
  }

  // Size and place of the zip64 field among the extra fields.
  std::optional<Place> extra64(uint64_t at, uint64_t size) const {
    slice(at, size);
    for (uint64_t end = at + size; at + 4 <= end;) {
      uint64_t id = u16(at), field_bytes = u16(at + 2);
      if (field_bytes > end - at - 4) fail("the zip archive's directory is damaged", where_);
      if (id == kExtra64) return Place{field_bytes, at + 4};
      at += 4 + field_bytes;
    }
    return {};
  }

  std::string_view content(const ZipEntry& entry, uint64_t local, uint64_t packed_bytes) const {
    need(local, kLocalEntryBytes, kLocalEntry);
    uint64_t name_bytes = u16(local + 26), extra_bytes = u16(local + 28);
    if (slice(local + kLocalEntryBytes, name_bytes) != entry.name)
      fail(fmt::format("entry '{}' has another name at its place", entry.name), where_);
    if (entry.is_stored && packed_bytes != entry.num_unpacked_bytes)
      fail(fmt::format("entry '{}' has two sizes", entry.name), where_);
    return slice(local + kLocalEntryBytes + name_bytes + extra_bytes, packed_bytes);
  }

  void check_names(const std::vector<ZipEntry>& entries) const {
    std::vector<std::string_view> names;
    names.reserve(entries.size());
    for (const ZipEntry& entry : entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail(fmt::format("entry '{}' is there twice", *twice), where_);
  }

  std::string_view archive_;
  const std::string& where_;
};

std::string inflate_raw(const ZipEntry& entry, const std::string& where) {
  constexpr size_t kMaxPacked = std::numeric_limits<uInt>::max();
  if (entry.packed.size() > kMaxPacked || entry.num_unpacked_bytes > kMaxPacked)
    fail(fmt::format("entry '{}' is too large", entry.name), where);
  std::string out(static_cast<size_t>(entry.num_unpacked_bytes), '\0');
  z_stream z{};
  if (inflateInit2(&z, kRawDeflate) != Z_OK) fail("zlib cannot start", where);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(entry.packed.data()));
  z.avail_in = static_cast<uInt>(entry.packed.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  int status = inflate(&z, Z_FINISH);
  bool is_whole = status == Z_STREAM_END && z.avail_out == 0;
  inflateEnd(&z);
  if (!is_whole) fail(fmt::format("entry '{}' is damaged", entry.name), where);
  return out;
}

// Into a buffer of the size that the directory says: a larger content is an error, not memory.
std::string unpack_zstd(const ZipEntry& entry, const std::string& where) {
  std::string out(static_cast<size_t>(entry.num_unpacked_bytes), '\0');
  const size_t size =
      ZSTD_decompress(out.data(), out.size(), entry.packed.data(), entry.packed.size());
  if (ZSTD_isError(size) != 0 || size != out.size())
    fail(fmt::format("entry '{}' is damaged", entry.name), where);
  return out;
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(std::string_view archive, const std::string& where) {
  return Directory(archive, where).read();
}

std::optional<ZipEntry> find_zip_entry(std::string_view archive,
                                       std::string_view name,
                                       const std::string& where) {
  return Directory(archive, where).find(name);
}

std::string unpack(const ZipEntry& entry, size_t max_bytes, const std::string& where) {
  if (entry.num_unpacked_bytes > max_bytes) {
    fail(fmt::format("entry '{}' holds {} bytes, at most {} are read",
                     entry.name,
                     entry.num_unpacked_bytes,
                     max_bytes),
         where);
  }
  std::string content = entry.is_stored ? std::string(entry.packed)
                        : entry.is_zstd ? unpack_zstd(entry, where)
                                        : inflate_raw(entry, where);
  uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (sum != entry.crc) fail(fmt::format("entry '{}' is damaged", entry.name), where);
  return content;
}

}  // namespace snellen::formats
