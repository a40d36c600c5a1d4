// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/image_below.h"

#include "snellen/base/files.h"

namespace snellen::tasks {

Result<media::VisualPlace> image_below(const std::filesystem::path& folder, std::string_view name) {
  if (folder.empty()) {
    throw Error{ErrorCode::kUsage,
                "no folder of images named",
                "--root-image-dir",
                "for example --root-image-dir val2014"};
  }
  if (!stays_inside(std::filesystem::path(name)))
    return Error{ErrorCode::kInvalidInput, "names a file outside its folder", std::string(name)};
  return media::VisualPlace{.path = folder / name};
}

}  // namespace snellen::tasks
