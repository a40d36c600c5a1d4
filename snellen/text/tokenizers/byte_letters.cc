// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/byte_letters.h"

#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

constexpr bool is_printable(unsigned byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::array<char32_t, 256> make_letters() {
  std::array<char32_t, 256> letters{};
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) letters[byte] = is_printable(byte) ? byte : next++;
  return letters;
}

constexpr std::array<char32_t, 256> kLetters = make_letters();
constexpr char32_t kEndOfLetters = 0x100 + 68;  // 68 bytes are not printable

constexpr std::array<int16_t, kEndOfLetters> make_bytes() {
  std::array<int16_t, kEndOfLetters> bytes{};
  for (int16_t& byte : bytes) byte = -1;
  for (unsigned byte = 0; byte < 256; ++byte) bytes[kLetters[byte]] = static_cast<int16_t>(byte);
  return bytes;
}

constexpr std::array<int16_t, kEndOfLetters> kBytes = make_bytes();

}  // namespace

std::array<char32_t, 256> letters_of_bytes() {
  return kLetters;
}

std::array<uint8_t, 256> bytes_in_vocabulary_order() {
  std::array<uint8_t, 256> order{};
  size_t at = 0;
  for (bool wants_printable : {true, false}) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (is_printable(byte) == wants_printable) order[at++] = static_cast<uint8_t>(byte);
    }
  }
  return order;
}

std::string as_letters(std::string_view bytes) {
  std::string letters;
  for (char byte : bytes) append_utf8(letters, kLetters[static_cast<unsigned char>(byte)]);
  return letters;
}

std::optional<std::string> as_bytes(std::string_view letters) {
  std::string bytes;
  for (size_t at = 0; at < letters.size();) {
    CodePoint c = decode_at(letters, at);
    if (c.value >= kEndOfLetters || kBytes[c.value] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(kBytes[c.value]));
    at += c.size;
  }
  return bytes;
}

}  // namespace snellen::text
