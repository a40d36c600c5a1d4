// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/clean_start.h"

#include <cstddef>

namespace snellen::media {
namespace {

constexpr int kIdrPicture = 5;

bool is_idr(uint8_t first_byte) {
  return (first_byte & 0x1F) == kIdrPicture;
}

bool has_idr_behind_start_codes(std::span<const uint8_t> packet) {
  for (size_t i = 0; i + 3 < packet.size(); ++i) {
    if (packet[i] == 0 && packet[i + 1] == 0 && packet[i + 2] == 1 && is_idr(packet[i + 3]))
      return true;
  }
  return false;
}

bool has_idr_behind_lengths(std::span<const uint8_t> packet, size_t length_bytes) {
  while (packet.size() > length_bytes) {
    size_t length = 0;
    for (uint8_t byte : packet.first(length_bytes)) length = length << 8 | byte;
    packet = packet.subspan(length_bytes);
    if (length == 0 || length > packet.size()) return false;
    if (is_idr(packet[0])) return true;
    packet = packet.subspan(length);
  }
  return false;
}

}  // namespace

bool has_idr_picture(std::span<const uint8_t> packet, std::span<const uint8_t> extradata) {
  if (extradata.size() > 4 && extradata[0] == 1)
    return has_idr_behind_lengths(packet, (extradata[4] & 3U) + 1U);
  return has_idr_behind_start_codes(packet);
}

}  // namespace snellen::media
