// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/container_size.h"

#include <array>
#include <bit>
#include <limits>
#include <string_view>

namespace snellen::media {
namespace {

// A file of boxes without end is not walked without end.
constexpr int kMostBoxes = 100'000;
constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max() / 2;

uint64_t big_endian(std::span<const uint8_t> bytes) {
  uint64_t value = 0;
  for (uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

bool is_tag(std::span<const uint8_t> bytes, std::string_view tag) {
  return bytes.size() >= tag.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), tag.size()) == tag;
}

// The end of the last top-level box; a box of size 0 reaches to the end of the file.
std::optional<int64_t> mp4_bytes(const ReadAt& read_at, int64_t num_bytes) {
  int64_t offset = 0;
  for (int box = 0; box < kMostBoxes && offset < num_bytes; ++box) {
    std::array<uint8_t, 16> head{};
    const size_t got = read_at(offset, head);
    if (got < 8) return offset + 8;
    uint64_t size = big_endian(std::span(head).first(4));
    if (size == 0) return num_bytes;
    if (size == 1) size = got < 16 ? 16 : big_endian(std::span(head).subspan(8, 8));
    if (size < 8 || size > static_cast<uint64_t>(kMostBytes - offset)) return std::nullopt;
    // Padding after the last box is not a box.
    if (big_endian(std::span(head).subspan(4, 4)) == 0) return num_bytes;
    offset += static_cast<int64_t>(size);
  }
  return offset;
}

struct EbmlNumber {
  uint64_t value = 0;
  int length = 0;  // 0: malformed or cut off
  bool is_unknown = false;
};

EbmlNumber ebml_number(std::span<const uint8_t> bytes) {
  if (bytes.empty() || bytes[0] == 0) return {};
  const int length = std::countl_zero(bytes[0]) + 1;
  if (bytes.size() < static_cast<size_t>(length)) return {};
  const uint64_t all_ones = (uint64_t{1} << (7 * length)) - 1;
  const uint64_t value = big_endian(bytes.first(static_cast<size_t>(length))) & all_ones;
  return {value, length, value == all_ones};
}

// The EBML header, then one segment that holds everything.
std::optional<int64_t> matroska_bytes(const ReadAt& read_at) {
  constexpr int kIdBytes = 4;
  int64_t offset = 0;
  for (const uint64_t id : {uint64_t{0x1A45DFA3}, uint64_t{0x18538067}}) {
    std::array<uint8_t, 12> head{};
    const size_t got = read_at(offset, head);
    if (got < kIdBytes + 1) return offset + kIdBytes + 1;
    if (big_endian(std::span(head).first(kIdBytes)) != id) return std::nullopt;
    const EbmlNumber size = ebml_number(std::span(head).first(got).subspan(kIdBytes));
    if (size.length == 0) return got < head.size() ? std::optional(offset + 12) : std::nullopt;
    if (size.is_unknown || size.value > static_cast<uint64_t>(kMostBytes - offset - 12)) {
      return std::nullopt;
    }
    offset += kIdBytes + size.length + static_cast<int64_t>(size.value);
  }
  return offset;
}

// One or more RIFF chunks, one after another.
std::optional<int64_t> avi_bytes(const ReadAt& read_at, int64_t num_bytes) {
  int64_t offset = 0;
  for (int chunk = 0; chunk < kMostBoxes && offset < num_bytes; ++chunk) {
    std::array<uint8_t, 8> head{};
    const size_t got = read_at(offset, head);
    if (got < head.size()) return offset > 0 ? num_bytes : offset + 8;
    if (!is_tag(head, "RIFF")) return offset > 0 ? std::optional(num_bytes) : std::nullopt;
    const int64_t size = head[4] | head[5] << 8 | head[6] << 16 | int64_t{head[7]} << 24;
    if (size == 0 || size == 0xFFFFFFFF) return std::nullopt;  // never closed by its writer
    offset += 8 + size + size % 2;
  }
  // The padding byte of the last chunk is often left out.
  return offset == num_bytes + 1 ? num_bytes : offset;
}

}  // namespace

std::optional<int64_t> claimed_container_bytes(const ReadAt& read_at, int64_t num_bytes) {
  std::array<uint8_t, 12> head{};
  const size_t got = read_at(0, head);
  const auto start = std::span<const uint8_t>(head).first(got);
  if (got < head.size()) return std::nullopt;
  if (is_tag(start, "\x1A\x45\xDF\xA3")) return matroska_bytes(read_at);
  if (is_tag(start, "RIFF") && is_tag(start.subspan(8), "AVI ")) {
    return avi_bytes(read_at, num_bytes);
  }
  for (std::string_view type : {"ftyp", "moov", "mdat", "free", "wide", "skip"}) {
    if (is_tag(start.subspan(4), type)) return mp4_bytes(read_at, num_bytes);
  }
  return std::nullopt;
}

}  // namespace snellen::media
