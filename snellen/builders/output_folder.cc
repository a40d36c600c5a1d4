// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/output_folder.h"

#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::builders {

namespace fs = std::filesystem;

void open_output_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  std::vector<fs::path> torn;
  if (!code) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
      if (entry.path().extension() == ".part") torn.push_back(entry.path());
    }
  }
  for (const fs::path& path : torn) fs::remove(path, code);
  if (!code) return;
  throw Error{ErrorCode::kIo,
              fmt::format("cannot be written to: {}", code.message()),
              folder.string(),
              "name another folder with --out"};
}

std::string shown_path(const fs::path& path) {
  return path.empty() ? std::string() : fs::absolute(path).lexically_normal().string();
}

}  // namespace snellen::builders
