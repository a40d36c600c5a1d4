// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/zip_archive.h"

#include <algorithm>

#include <zlib.h>

#include "snellen/base/error.h"

namespace snellen::text::meteor {
namespace {

constexpr std::string_view kEndRecord("PK\5\6", 4);
constexpr std::string_view kDirectoryEntry("PK\1\2", 4);
constexpr std::string_view kLocalEntry("PK\3\4", 4);
constexpr size_t kEndRecordBytes = 22;
constexpr size_t kDirectoryEntryBytes = 46;
constexpr size_t kLocalEntryBytes = 30;
constexpr size_t kMaxComment = 65535;
constexpr int kRawDeflate = -15;

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  std::optional<std::string> read(std::string_view name, size_t max_bytes) const {
    size_t end = find_end();
    size_t count = u16(end + 10);
    size_t at = u32(end + 16);
    for (size_t i = 0; i < count; ++i) {
      need(at, kDirectoryEntryBytes, kDirectoryEntry);
      size_t name_bytes = u16(at + 28);
      if (slice(at + kDirectoryEntryBytes, name_bytes) == name) return unpack(at, max_bytes);
      at += kDirectoryEntryBytes + name_bytes + u16(at + 30) + u16(at + 32);
    }
    return {};
  }

 private:
  [[noreturn]] void fail(std::string what) const {
    throw Error{ErrorCode::kInvalidInput, std::move(what), where_, "fetch the archive again"};
  }

  std::string_view slice(size_t at, size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail("the zip archive is cut short");
    return bytes_.substr(at, size);
  }

  void need(size_t at, size_t size, std::string_view signature) const {
    if (!slice(at, size).starts_with(signature)) fail("the zip archive's directory is damaged");
  }

  size_t u16(size_t at) const {
    std::string_view two = slice(at, 2);
    return static_cast<uint8_t>(two[0]) | size_t{static_cast<uint8_t>(two[1])} << 8;
  }
  size_t u32(size_t at) const { return u16(at) | u16(at + 2) << 16; }

  size_t find_end() const {
    if (bytes_.size() < kEndRecordBytes) fail("is too short for a zip archive");
    size_t from = bytes_.size() - kEndRecordBytes;
    size_t found = bytes_.rfind(kEndRecord, from);
    if (found == std::string_view::npos || from - found > kMaxComment) fail("is not a zip archive");
    return found;
  }

  std::string unpack(size_t entry, size_t max_bytes) const {
    size_t method = u16(entry + 10), crc = u32(entry + 16);
    size_t packed_bytes = u32(entry + 20), unpacked_bytes = u32(entry + 24),
           local = u32(entry + 42);
    if (unpacked_bytes > max_bytes) {
      fail(fmt::format("an entry of the zip archive holds {} bytes, at most {} are read",
                       unpacked_bytes,
                       max_bytes));
    }
    need(local, kLocalEntryBytes, kLocalEntry);
    std::string_view packed =
        slice(local + kLocalEntryBytes + u16(local + 26) + u16(local + 28), packed_bytes);
    std::string unpacked;
    if (method == 0) {
      unpacked = packed;
    } else if (method == 8) {
      unpacked = inflate_raw(packed, unpacked_bytes);
    } else {
      fail(fmt::format(
          "an entry of the zip archive uses method {}, only stored and deflate are read", method));
    }
    auto sum = crc32(
        0, reinterpret_cast<const Bytef*>(unpacked.data()), static_cast<uInt>(unpacked.size()));
    if (unpacked.size() != unpacked_bytes || sum != crc)
      fail("an entry of the zip archive is damaged");
    return unpacked;
  }

  std::string inflate_raw(std::string_view packed, size_t unpacked_bytes) const {
    std::string out(unpacked_bytes, '\0');
    z_stream z{};
    if (inflateInit2(&z, kRawDeflate) != Z_OK) fail("zlib cannot start");
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    z.avail_in = static_cast<uInt>(packed.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    int status = inflate(&z, Z_FINISH);
    out.resize(out.size() - z.avail_out);
    inflateEnd(&z);
    if (status != Z_STREAM_END) fail("an entry of the zip archive is damaged");
    return out;
  }

  std::string_view bytes_;
  const std::string& where_;
};

}  // namespace

std::optional<std::string> read_zip_entry(std::string_view bytes,
                                          std::string_view name,
                                          const std::string& where,
                                          size_t max_bytes) {
  return Archive(bytes, where).read(name, max_bytes);
}

}  // namespace snellen::text::meteor
