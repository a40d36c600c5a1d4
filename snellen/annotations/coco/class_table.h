// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::annotations {

struct ObjectClass {
  std::string name;
  std::string prompt;
};

// The classes of Probe-B and their prompts; the order defines the class index
// (docs/spec/probe.md 2.4, 6.6).
class ClassTable {
 public:
  // The 80 COCO classes in category-id order, each with "A photo of a {class}."
  static ClassTable coco();
  // prompt_classes.csv: a header row, columns `class` and `prompt`. With `from_prompt` the class is
  // what is left of the prompt without "A photo of a " and the full stop, as the reference recovers
  // it. Throws kInvalidInput.
  static ClassTable from_csv(const std::filesystem::path& path, bool from_prompt);

  explicit ClassTable(std::vector<ObjectClass> classes);

  size_t size() const { return classes_.size(); }
  const ObjectClass& operator[](size_t index) const { return classes_[index]; }
  std::optional<size_t> find(std::string_view name) const;

 private:
  std::vector<ObjectClass> classes_;
  std::map<std::string, size_t, std::less<>> places_;
};

// COCO super-category, with the fixtures (sink, toilet) split off; "other" for a class that is not
// COCO's.
std::string_view object_category(std::string_view class_name);

}  // namespace snellen::annotations
