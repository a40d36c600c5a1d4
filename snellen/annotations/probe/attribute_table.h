// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::annotations {

struct Attribute {
  std::string name;
  std::string category;
  std::vector<std::string> antonyms;  // in the order they are tried
};

// The 114 attributes of Probe-C in 11 categories (docs/spec/probe.md 6.3). Const methods are safe
// from many threads.
class AttributeTable {
 public:
  AttributeTable();

  const std::vector<Attribute>& attributes() const { return attributes_; }
  const std::vector<std::string>& categories() const { return categories_; }
  const std::vector<std::vector<std::string>>& synonym_groups() const { return synonym_groups_; }
  const Attribute* find(std::string_view name) const;
  // "other" for an attribute that is not in the table.
  std::string category_of(std::string_view name) const;

 private:
  std::vector<std::string> categories_;
  std::vector<Attribute> attributes_;
  std::map<std::string, size_t, std::less<>> places_;
  std::vector<std::vector<std::string>> synonym_groups_;
};

}  // namespace snellen::annotations
