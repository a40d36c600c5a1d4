// SPDX-License-Identifier: Apache-2.0
// COCO's compressed strings: from the fourth run on the difference to the run two before; signed
// groups of five bits, low first, bit 0x20 says that more follow, 48 is added to stay printable.
#include "snellen/media/masks/rle.h"

namespace snellen::media {
namespace {

constexpr int kZero = 48;
constexpr int kGroupBits = 5;
// Seven groups hold 35 bits: every 32-bit run and every difference of two.
constexpr int kMostGroups = 7;

Error string_error(std::string what, size_t at) {
  return Error{ErrorCode::kInvalidInput,
               std::move(what),
               fmt::format("compressed RLE, character {}", at),
               "compressed counts are made of the characters '0' to 'o'; copy the string whole"};
}

// One number from `at` on; moves `at` behind it.
Result<int64_t> read_number(std::string_view text, size_t& at) {
  int64_t value = 0;
  for (int group = 0; group < kMostGroups; ++group) {
    if (at >= text.size()) return string_error("the string ends inside a number", at);
    int code = static_cast<unsigned char>(text[at]) - kZero;
    if (code < 0 || code > 0x3f) return string_error("a character is not '0' to 'o'", at);
    ++at;
    value |= static_cast<int64_t>(code & 0x1f) << (kGroupBits * group);
    if ((code & 0x20) != 0) continue;
    if ((code & 0x10) != 0) value -= int64_t{1} << (kGroupBits * (group + 1));
    return value;
  }
  return string_error("a number has more than 35 bits", at);
}

}  // namespace

Result<Rle> rle_of_string(std::string_view text,
                          int64_t height,
                          int64_t width,
                          const MaskLimits& limits) {
  Result<uint64_t> pixels = checked_mask_pixels(height, width, limits);
  if (!pixels) return pixels.error();
  std::vector<uint64_t> counts;
  size_t at = 0;
  while (at < text.size()) {
    size_t begin = at;
    Result<int64_t> number = read_number(text, at);
    if (!number) return number.error();
    int64_t count = *number;
    if (counts.size() > 2) count += static_cast<int64_t>(counts[counts.size() - 2]);
    if (count < 0 || static_cast<uint64_t>(count) > *pixels) {
      return string_error(fmt::format("a run of {} in a mask of {} pixels", count, *pixels), begin);
    }
    counts.push_back(static_cast<uint64_t>(count));
  }
  return rle_of_counts(counts, height, width, limits);
}

std::string string_of(const Rle& rle) {
  std::string text;
  for (size_t i = 0; i < rle.counts.size(); ++i) {
    int64_t value = rle.counts[i];
    if (i > 2) value -= rle.counts[i - 2];
    bool has_more = true;
    while (has_more) {
      int code = static_cast<int>(value & 0x1f);
      value >>= kGroupBits;
      has_more = (code & 0x10) != 0 ? value != -1 : value != 0;
      text.push_back(static_cast<char>((has_more ? code | 0x20 : code) + kZero));
    }
  }
  return text;
}

}  // namespace snellen::media
