// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

namespace snellen::annotations {

// A Visual Genome name as the builders compare it (docs/spec/probe.md 6.2): lower case, trimmed,
// white space collapsed to single blanks, trailing full stops (and the blanks before them) dropped.
std::string normal_name(std::string_view name);

// object_alias.txt or relationship_alias.txt: one comma-separated synonym set a line, its first
// entry canonical. Of a name in two sets the first set counts. Const methods are safe from many
// threads.
class NameAliases {
 public:
  // None: every name stands for itself.
  NameAliases() = default;
  // Throws kNotFound.
  explicit NameAliases(const std::filesystem::path& path);

  // The canonical name of any spelling.
  std::string canonical(std::string_view name) const;
  size_t size() const { return canonical_.size(); }

 private:
  std::unordered_map<std::string, std::string> canonical_;  // normal name -> normal name
};

}  // namespace snellen::annotations
