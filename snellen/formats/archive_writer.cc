// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/archive_writer.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
constexpr size_t kLongestName = 65535;
constexpr size_t kTarBlock = 512;
constexpr uint16_t kZipVersion = 20;
constexpr uint16_t kDeflate = 8;
constexpr uint16_t kUtf8Names = 1U << 11;
constexpr uint16_t kFirstDay = (1U << 5) | 1;  // 1 January 1980: the least date of a zip entry

std::string little(uint64_t value, int num_bytes) {
  std::string bytes;
  for (int i = 0; i < num_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
  return bytes;
}

std::string deflated(std::string_view content) {
  z_stream z{};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error{ErrorCode::kInternal, "zlib cannot start"};
  std::string packed(deflateBound(&z, static_cast<uLong>(content.size())), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  z.avail_in = static_cast<uInt>(content.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  deflateEnd(&z);
  SNELLEN_CHECK(code == Z_STREAM_END);
  return packed;
}

// A header of the ustar form, with the checksum of its bytes.
std::string tar_header(std::string_view name, uint64_t num_bytes, char type) {
  std::string header(kTarBlock, '\0');
  auto put = [&](size_t at, std::string_view text) {
    std::copy(text.begin(), text.end(), header.begin() + static_cast<ptrdiff_t>(at));
  };
  put(0, name.substr(0, 100));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", num_bytes));
  put(136, "00000000000");
  put(148, "        ");  // the checksum counts as blanks
  header[156] = type;
  put(257, "ustar");
  put(263, "00");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  return header;
}

}  // namespace

ArchiveWriter::ArchiveWriter(const std::filesystem::path& path, ArchiveKind kind)
    : file_(path), kind_(kind) {}

void ArchiveWriter::write(std::string_view bytes) {
  file_.write(bytes);
  num_written_ += bytes.size();
}

void ArchiveWriter::add(const std::string& name, std::string_view content) {
  if (name.empty() || name.size() > kLongestName)
    throw Error{
        ErrorCode::kInvalidInput, "a name does not fit into an archive", name.substr(0, 80)};
  if (num_written_ + content.size() + name.size() + (1U << 16) > kMost)
    throw Error{ErrorCode::kUsage, "the archive would be larger than 4 GB", name};
  if (kind_ == ArchiveKind::kZip) {
    add_to_zip(name, content);
  } else {
    add_to_tar(name, content);
  }
}

void ArchiveWriter::add_to_zip(const std::string& name, std::string_view content) {
  const std::string packed = deflated(content);
  const Entry entry{.name = name,
                    .crc = static_cast<uint32_t>(
                        crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size())),
                    .num_packed = static_cast<uint32_t>(packed.size()),
                    .num_bytes = static_cast<uint32_t>(content.size()),
                    .place = static_cast<uint32_t>(num_written_)};
  write("PK\3\4" + little(kZipVersion, 2) + little(kUtf8Names, 2) + little(kDeflate, 2) +
        little(0, 2) + little(kFirstDay, 2) + little(entry.crc, 4) + little(entry.num_packed, 4) +
        little(entry.num_bytes, 4) + little(name.size(), 2) + little(0, 2) + name);
  write(packed);
  entries_.push_back(entry);
}

void ArchiveWriter::add_to_tar(const std::string& name, std::string_view content) {
  auto write_padded = [&](std::string_view bytes) {
    write(bytes);
    write(std::string((kTarBlock - bytes.size() % kTarBlock) % kTarBlock, '\0'));
  };
  // Longer names stand in an entry of their own before the file (GNU's way, which all read).
  if (name.size() > 100) {
    write(tar_header("././@LongLink", name.size() + 1, 'L'));
    write_padded(name + '\0');
  }
  write(tar_header(name, content.size(), '0'));
  write_padded(content);
}

void ArchiveWriter::finish() {
  if (kind_ == ArchiveKind::kTar) {
    write(std::string(2 * kTarBlock, '\0'));
  } else {
    if (entries_.size() > 65535)
      throw Error{ErrorCode::kUsage, "a zip archive holds at most 65,535 files here"};
    const uint64_t begin = num_written_;
    for (const Entry& entry : entries_)
      write("PK\1\2" + little(kZipVersion, 2) + little(kZipVersion, 2) + little(kUtf8Names, 2) +
            little(kDeflate, 2) + little(0, 2) + little(kFirstDay, 2) + little(entry.crc, 4) +
            little(entry.num_packed, 4) + little(entry.num_bytes, 4) +
            little(entry.name.size(), 2) + little(0, 12) + little(entry.place, 4) + entry.name);
    const uint64_t size = num_written_ - begin;
    write("PK\5\6" + little(0, 4) + little(entries_.size(), 2) + little(entries_.size(), 2) +
          little(size, 4) + little(begin, 4) + little(0, 2));
  }
  file_.commit();
}

}  // namespace snellen::formats
