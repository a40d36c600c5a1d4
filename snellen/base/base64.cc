// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/base64.h"

#include <array>
#include <cstdint>

#include "snellen/base/hash.h"

namespace snellen {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint32_t kNone = 1U << 24;  // beyond three bytes

// What a letter adds to three bytes, at each of the four places of a group.
using Places = std::array<std::array<uint32_t, 256>, 4>;

constexpr Places values_of_letters() {
  Places places{};
  for (size_t place = 0; place < 4; ++place) {
    places[place].fill(kNone);
    for (size_t i = 0; i < kLetters.size(); ++i)
      places[place][static_cast<unsigned char>(kLetters[i])] =
          static_cast<uint32_t>(i << (18 - 6 * place));
  }
  return places;
}
constexpr Places kValues = values_of_letters();

Error no_base64() {
  return Error{ErrorCode::kInvalidInput, "is no base64"};
}

}  // namespace

void append_base64(std::string_view bytes, std::string& to) {
  const size_t begin = to.size();
  to.resize(begin + (bytes.size() + 2) / 3 * 4, '=');
  char* out = to.data() + begin;
  auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])); };
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    *out++ = kLetters[three >> 18];
    *out++ = kLetters[three >> 12 & 63];
    *out++ = kLetters[three >> 6 & 63];
    *out++ = kLetters[three & 63];
  }
  if (i == bytes.size()) return;
  const bool has_two = i + 2 == bytes.size();
  const uint32_t rest = at(i) << 16 | (has_two ? at(i + 1) << 8 : 0);
  *out++ = kLetters[rest >> 18];
  *out++ = kLetters[rest >> 12 & 63];
  if (has_two) *out = kLetters[rest >> 6 & 63];
}

Result<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return no_base64();
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes(text.size() / 4 * 3, '\0');
  char* out = bytes.data();
  uint32_t all = 0;
  const auto value = [&](size_t i, size_t place) {
    return kValues[place][static_cast<unsigned char>(text[i + place])];
  };
  const auto put = [&](uint32_t three) {
    all |= three;
    *out++ = static_cast<char>(three >> 16);
    *out++ = static_cast<char>(three >> 8 & 0xff);
    *out++ = static_cast<char>(three & 0xff);
  };
  const size_t whole = padding > 0 ? text.size() - 4 : text.size();
  size_t i = 0;
  for (; i < whole; i += 4) put(value(i, 0) | value(i, 1) | value(i, 2) | value(i, 3));
  if (i < text.size()) put(value(i, 0) | value(i, 1) | (padding == 1 ? value(i, 2) : 0U));
  if ((all & kNone) != 0) return no_base64();
  if (padding <= bytes.size()) bytes.erase(bytes.size() - padding);
  return bytes;
}

std::string base64(std::string_view bytes) {
  std::string text;
  append_base64(bytes, text);
  return text;
}

std::string sha256_bytes(std::string_view bytes) {
  const std::string hex = sha256_hex(bytes);
  std::string raw;
  for (size_t i = 0; i < hex.size(); i += 2)
    raw += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return raw;
}

}  // namespace snellen
