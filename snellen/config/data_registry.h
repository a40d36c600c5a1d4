// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace snellen::config {

// Where data sets lie on this machine, by name: "coco", "probe-c". A small JSON file in the user's
// configuration folder.
class DataRegistry {
 public:
  // Without a file it is empty; an empty path stands for a user without a home. Throws
  // kInvalidInput for a file that is none.
  explicit DataRegistry(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  const std::map<std::string, std::filesystem::path>& folders() const { return folders_; }
  // The folder of the name; nothing when there is none.
  std::optional<std::filesystem::path> find(const std::string& name) const;

  // Kept as absolute path, at once, beside what other processes added. Throws kNotFound when the
  // file cannot be written, kBusy while another process writes it, kInvalidInput for a folder whose
  // name is no UTF-8 text.
  void set(const std::string& name, const std::filesystem::path& folder);
  // Whether it was there.
  bool remove(const std::string& name);

 private:
  void read();
  void change(const std::function<void()>& make);

  std::filesystem::path file_;
  std::map<std::string, std::filesystem::path> folders_;
};

}  // namespace snellen::config
