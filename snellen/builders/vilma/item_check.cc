// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/item_check.h"

#include <fmt/format.h>

#include "snellen/formats/json.h"
#include "snellen/formats/json_elements.h"

namespace snellen::builders::vilma {
namespace {

using nlohmann::json;

const json* find(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const json* only_of(const json* list) {
  return list != nullptr && list->is_array() && list->size() == 1 && (*list)[0].is_string()
             ? &(*list)[0]
             : nullptr;
}

}  // namespace

std::string ItemCheck::text(const char* key) {
  const json* found = find(item_, key);
  if (found != nullptr && found->is_string()) return found->get<std::string>();
  broken("unreadable", fmt::format("'{}' is not a text", key));
  return {};
}

int64_t ItemCheck::integer(const char* key) {
  const json* found = find(item_, key);
  if (found != nullptr && found->is_number_integer()) return found->get<int64_t>();
  broken("unreadable", fmt::format("'{}' is not a whole number", key));
  return -1;
}

std::string ItemCheck::only_text(const char* key) {
  if (const json* found = only_of(find(item_, key))) return found->get<std::string>();
  broken("unreadable", fmt::format("'{}' is not a list of one text", key));
  return {};
}

bool ItemCheck::has_proficiency() const {
  return find(item_, "proficiency") != nullptr;
}

std::string ItemCheck::proficiency_caption() {
  const json* pair = find(item_, "proficiency");
  const json* found = pair == nullptr ? nullptr : find(*pair, "caption");
  if (found != nullptr && found->is_string()) return found->get<std::string>();
  broken("unreadable", "'proficiency.caption' is not a text");
  return {};
}

std::string ItemCheck::proficiency_foil() {
  const json* pair = find(item_, "proficiency");
  const json* found = pair == nullptr ? nullptr : only_of(find(*pair, "foils"));
  if (found != nullptr) return found->get<std::string>();
  broken("unreadable", "'proficiency.foils' is not a list of one text");
  return {};
}

void check_items(const std::filesystem::path& file,
                 const builders::Workers& workers,
                 builders::CheckReport& report,
                 const std::function<void(const std::string& id, ItemCheck& item)>& check) {
  const formats::JsonElements elements(file);
  for (size_t i = 0; i < elements.size(); ++i) {
    ++report.num_groups;
    const std::string id(elements.is_object() ? elements.key(i) : "");
    const std::string group = fmt::format("{}: '{}'", file.filename().string(), id);
    json item = formats::parse_json(elements.element(i));
    if (!item.is_object()) {
      report.add({group, "unreadable", "is not an object"});
      continue;
    }
    ItemCheck one(group, std::move(item), report);
    check(id, one);
    workers.tell("checking " + file.filename().string(), i + 1, elements.size());
  }
}

}  // namespace snellen::builders::vilma
