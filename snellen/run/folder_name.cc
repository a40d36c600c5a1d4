// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/folder_name.h"

#include <cctype>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/text/characters.h"

namespace snellen::run {
namespace {

// Longer names get a hash for what is cut: file systems take 255 bytes, and what follows the name
// (a shard, a draft) needs some.
constexpr size_t kMostNameBytes = 200;

// Letters and signs of all scripts; no control characters, no blanks, nothing invisible.
bool is_plain(char32_t c) {
  constexpr std::string_view kPlain = "-_.+@=";
  if (c < 0x80)
    return std::isalnum(static_cast<int>(c)) != 0 ||
           kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  const bool is_invisible = (c >= 0x200B && c <= 0x206F) || c == 0xFEFF || c == 0xFFFD;
  return c > 0xA0 && !is_invisible && !text::is_space(c);
}

}  // namespace

std::string folder_name(std::string_view title) {
  std::string name;
  for (size_t at = 0; at < title.size();) {
    const text::CodePoint c = text::decode_at(title, at);
    if (is_plain(c.value)) {
      name += title.substr(at, c.size);
    } else {
      name += '_';
    }
    at += c.size;
  }
  if (name.empty() || name.front() == '.') name.insert(0, "run");
  if (name.size() > kMostNameBytes) {
    const std::string end = fmt::format("-{:016x}", fnv1a64(title));
    size_t cut = kMostNameBytes - end.size();
    while ((static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U) --cut;
    name.resize(cut);
    name += end;
  }
  return name;
}

}  // namespace snellen::run
