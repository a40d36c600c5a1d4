// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/run_differences.h"

#include <set>

#include <fmt/format.h>

namespace snellen::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLines = 20;
constexpr size_t kHashShown = 12;

std::string shown_json(const Json& value, size_t width = 40) {
  std::string text = value.is_string() ? value.get<std::string>()
                                       : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fit_text(text, width);
}

// A member of an object, null when there is none.
Json member(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) ? object[key] : Json();
}

class Differences {
 public:
  Differences(const std::string& first_label, const std::string& second_label)
      : first_(first_label), second_(second_label) {}

  void add(std::string line) {
    if (lines_.size() < kMostLines) {
      lines_.push_back(std::move(line));
    } else {
      ++num_more_;
    }
  }

  void add_inputs(const std::string& task, const Json& mine, const Json& theirs) {
    if (!mine.is_object() || !theirs.is_object()) return;
    for (const auto& [file, hash] : mine.items()) {
      if (!theirs.contains(file) || theirs[file] == hash) continue;
      add(
          fmt::format("{}: {} is not the same file in {} (sha256 {}) and {} ({}): an item id may "
                      "stand for another item",
                      fit_text(task),
                      fit_text(file),
                      first_,
                      shown_json(hash, kHashShown),
                      second_,
                      shown_json(theirs[file], kHashShown)));
    }
  }

  void add_tasks(const Json& mine, const Json& theirs) {
    if (!mine.is_object() || !theirs.is_object()) return;
    for (const auto& [task, facts] : mine.items()) {
      if (!theirs.contains(task)) {
        add(fmt::format("{} is only in {}", fit_text(task), first_));
        continue;
      }
      add_inputs(task, member(facts, "inputs"), member(theirs[task], "inputs"));
    }
    for (const auto& [task, facts] : theirs.items()) {
      if (!mine.contains(task)) add(fmt::format("{} is only in {}", fit_text(task), second_));
    }
  }

  void add_settings(const Json& mine, const Json& theirs) {
    static const std::set<std::string> kExpected = {"model", "name", "seed", "tasks"};
    if (!mine.is_object() || !theirs.is_object()) return;
    for (const auto& [name, value] : mine.items()) {
      if (kExpected.contains(name) || member(theirs, name) == value) continue;
      add(fmt::format("setting {} is '{}' in {} and '{}' in {}",
                      fit_text(name),
                      shown_json(value),
                      first_,
                      shown_json(member(theirs, name)),
                      second_));
    }
  }

  std::vector<std::string> lines() {
    if (num_more_ > 0)
      lines_.push_back(fmt::format("{} and {} differ in {} more ways", first_, second_, num_more_));
    return std::move(lines_);
  }

 private:
  const std::string& first_;
  const std::string& second_;
  std::vector<std::string> lines_;
  size_t num_more_ = 0;
};

}  // namespace

std::vector<std::string> run_differences(const StoredRun& first,
                                         const std::string& first_label,
                                         const StoredRun& second,
                                         const std::string& second_label) {
  Differences found(first_label, second_label);
  found.add_tasks(first.stamped({"identity", "tasks"}), second.stamped({"identity", "tasks"}));
  found.add_settings(first.stamped({"identity", "settings"}),
                     second.stamped({"identity", "settings"}));
  const Json& mine = first.stamped({"identity", "version"});
  const Json& theirs = second.stamped({"identity", "version"});
  if (mine != theirs) {
    found.add(fmt::format("{} was made by version {}, {} by {}",
                          first_label,
                          shown_json(mine),
                          second_label,
                          shown_json(theirs)));
  }
  return found.lines();
}

}  // namespace snellen::report
