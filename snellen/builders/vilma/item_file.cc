// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/item_file.h"

#include "snellen/base/python_json.h"

namespace snellen::builders::vilma {
namespace {

constexpr int kIndent = 4;

}  // namespace

bool ItemFile::add(const std::string& id, const Json& item) {
  // Line ends inside of texts are escaped, so that every one here is of the layout.
  const std::string text = item.dump(kIndent, ' ', /*ensure_ascii=*/true);
  std::string indented;
  for (const char c : text) {
    indented += c;
    if (c == '\n') indented.append(kIndent, ' ');
  }
  return add_text(id, indented);
}

bool ItemFile::add_text(const std::string& id, std::string_view item) {
  if (!ids_.insert(id).second) return false;
  file_.write(ids_.size() == 1 ? "{\n    " : ",\n    ");
  file_.write(python_string(id));
  file_.write(": ");
  file_.write(item);
  return true;
}

void ItemFile::commit() {
  file_.write(ids_.empty() ? "{}" : "\n}");
  file_.commit();
}

}  // namespace snellen::builders::vilma
