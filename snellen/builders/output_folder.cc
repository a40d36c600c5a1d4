// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/output_folder.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::builders {

namespace fs = std::filesystem;

void make_output_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    throw Error{ErrorCode::kIo,
                fmt::format("cannot be written to: {}", code.message()),
                folder.string(),
                "name another folder with --out"};
  }
  remove_half_written_in(folder);
}

FileLock open_output_folder(const fs::path& folder) {
  FileLock lock(folder / "build.lock", "wait for it, or name another folder with --out");
  make_output_folder(folder);
  return lock;
}

std::string shown_path(const fs::path& path) {
  return path.empty() ? std::string() : fs::absolute(path).lexically_normal().string();
}

}  // namespace snellen::builders
