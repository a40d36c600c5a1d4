// SPDX-License-Identifier: Apache-2.0
// What a person noted about items: in a file beside the run folder, never in it. A line per change,
// the last of an item counts.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace snellen::store {

struct Mark {
  std::string task;
  std::string item;
  std::string label = {};
  std::string note = {};
  bool is_wrong = false;  // the annotation is
  bool is_empty() const { return label.empty() && note.empty() && !is_wrong; }
};

nlohmann::ordered_json mark_to_json(const Mark& mark);

// RUN.marks.jsonl beside RUN.
std::filesystem::path marks_file(const std::filesystem::path& run_folder);

// The items that mark files name, so that a run or a comparison can leave them out.
class MarkedItems {
 public:
  MarkedItems() = default;
  // Throws kNotFound for a file that is not there, kInvalidInput for one without a single mark.
  explicit MarkedItems(std::span<const std::filesystem::path> files);

  bool is_empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }
  bool contains(const std::string& task, const std::string& item) const {
    return items_.contains({task, item});
  }

 private:
  std::set<std::pair<std::string, std::string>> items_;
};

// Safe from many threads of this process; others may append to the file too.
class Marks {
 public:
  explicit Marks(std::filesystem::path file);

  // By task and item; reads the file again when it has changed.
  std::map<std::pair<std::string, std::string>, Mark> all();
  std::optional<Mark> find(const std::string& task, const std::string& item);
  // Appends a line; an empty mark takes the earlier one back. Throws kNotFound where the folder
  // cannot be written, kInvalidInput for texts that are too long.
  void set(const Mark& mark);

  const std::filesystem::path& file() const { return file_; }

 private:
  void read();  // with mutex_ held

  const std::filesystem::path file_;
  std::mutex mutex_;  // guards all below
  std::map<std::pair<std::string, std::string>, Mark> marks_;
  std::string version_;
};

}  // namespace snellen::store
