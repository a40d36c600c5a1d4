// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visual_genome/name_aliases.h"

#include <algorithm>

#include "snellen/base/files.h"
#include "snellen/text/characters.h"

namespace snellen::annotations {

std::string normal_name(std::string_view name) {
  std::string normal;
  text::for_each_word(name, [&](std::string_view word) {
    if (!normal.empty()) normal.push_back(' ');
    normal += word;
  });
  bool is_ascii = true;
  for (char& c : normal) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    is_ascii = is_ascii && static_cast<unsigned char>(c) < 0x80;
  }
  if (!is_ascii) normal = text::lower(normal);
  while (!normal.empty() && (normal.back() == '.' || normal.back() == ' ')) normal.pop_back();
  return normal;
}

NameAliases::NameAliases(const std::filesystem::path& path) {
  std::string file = read_text_file(path);
  std::string_view rest = file;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::string canonical;
    while (!line.empty()) {
      std::string_view entry = line.substr(0, line.find(','));
      line.remove_prefix(std::min(entry.size() + 1, line.size()));
      std::string name = normal_name(entry);
      if (name.empty()) continue;
      if (canonical.empty()) canonical = name;
      canonical_.emplace(std::move(name), canonical);
    }
  }
}

std::string NameAliases::canonical(std::string_view name) const {
  std::string normal = normal_name(name);
  if (canonical_.empty()) return normal;
  auto found = canonical_.find(normal);
  return found == canonical_.end() ? normal : found->second;
}

}  // namespace snellen::annotations
