// SPDX-License-Identifier: Apache-2.0
// What the checks of the three sets share: a look at each item of a file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "snellen/builders/building.h"
#include "snellen/builders/violations.h"

namespace snellen::builders::vilma {

// An item being checked. A missing key or one of another kind is a violation and reads as empty.
class ItemCheck {
 public:
  ItemCheck(std::string group, nlohmann::json item, builders::CheckReport& report)
      : group_(std::move(group)), item_(std::move(item)), report_(report) {}

  const nlohmann::json& item() const { return item_; }
  void broken(const std::string& rule, const std::string& what) {
    report_.add({group_, rule, what});
  }
  void expect(bool holds, const char* rule, const std::string& what) {
    if (!holds) broken(rule, what);
  }

  std::string text(const char* key);
  int64_t integer(const char* key);
  // The only text of a list.
  std::string only_text(const char* key);
  // The same of `proficiency`; false when there is none.
  bool has_proficiency() const;
  std::string proficiency_caption();
  std::string proficiency_foil();

 private:
  std::string group_;
  nlohmann::json item_;
  builders::CheckReport& report_;
};

// Calls `check` for each item of a file, in file order.
void check_items(const std::filesystem::path& file,
                 const builders::Workers& workers,
                 builders::CheckReport& report,
                 const std::function<void(const std::string& id, ItemCheck& item)>& check);

}  // namespace snellen::builders::vilma
