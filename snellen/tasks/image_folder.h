// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "snellen/questions/visual.h"

namespace snellen::tasks {

// The pictures below the folder that --images names. Const methods are safe from many
// threads.
class ImageFolder {
 public:
  // Pictures that are not in the folder itself are taken from the first of `subfolders` that holds
  // them; their names are listed once, when the first picture is asked for.
  explicit ImageFolder(std::filesystem::path folder, std::vector<std::string> subfolders = {});

  // A name that leaves the folder has no place; without a folder none has one (kUsage).
  questions::Visual visual(std::string name) const;

 private:
  std::filesystem::path path_of(const std::string& name) const;
  void list_subfolders() const;

  std::filesystem::path folder_;
  std::vector<std::string> subfolders_;
  std::shared_ptr<const Error> no_folder_;
  mutable std::once_flag is_listed_;
  mutable std::unordered_map<std::string, size_t> subfolder_of_;
};

}  // namespace snellen::tasks
