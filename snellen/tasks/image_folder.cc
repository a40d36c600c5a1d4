// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/image_folder.h"

#include "snellen/base/files.h"

namespace snellen::tasks {

namespace fs = std::filesystem;
using questions::Visual;

ImageFolder::ImageFolder(fs::path folder, std::vector<std::string> subfolders)
    : folder_(std::move(folder)),
      subfolders_(std::move(subfolders)),
      no_folder_(std::make_shared<const Error>(ErrorCode::kUsage,
                                               "no folder of images named",
                                               "--images",
                                               "for example --images val2014")) {}

void ImageFolder::list_subfolders() const {
  for (size_t i = 0; i < subfolders_.size(); ++i) {
    std::error_code ignored;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder_ / subfolders_[i], ignored))
      subfolder_of_.try_emplace(entry.path().filename().string(), i);
  }
  if (subfolder_of_.empty()) return;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored))
    subfolder_of_.erase(entry.path().filename().string());
}

fs::path ImageFolder::path_of(const std::string& name) const {
  if (!subfolders_.empty()) {
    std::call_once(is_listed_, [&] { list_subfolders(); });
    const auto found = subfolder_of_.find(name);
    if (found != subfolder_of_.end()) return folder_ / subfolders_[found->second] / name;
  }
  return folder_ / name;
}

Visual ImageFolder::visual(std::string name) const {
  if (folder_.empty()) return {.name = std::move(name), .source = questions::Unplaced{no_folder_}};
  if (!stays_inside(fs::path(name))) {
    Error outside{ErrorCode::kInvalidInput, "names a file outside its folder", name};
    return questions::unplaced(std::move(name), std::move(outside));
  }
  fs::path path = path_of(name);
  return {.name = std::move(name), .source = media::VisualPlace{.path = std::move(path)}};
}

}  // namespace snellen::tasks
