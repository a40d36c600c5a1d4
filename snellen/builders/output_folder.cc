// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/output_folder.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/builders/build_record.h"

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

namespace {

// Whether it is the record of a build that wrote nothing yet, as open_output_folder() makes it.
bool is_claim(const BuildRecord& record) {
  return !record.is_complete && record.options.empty() && record.sources.empty();
}

// A build that is refused, or from which nothing comes, leaves the folder as it was.
void remove_claim(const fs::path& folder, const std::vector<fs::path>& names) {
  std::error_code ignored;
  for (const fs::path& name : names) {
    if (fs::exists(fs::symlink_status(folder / name, ignored))) return;
  }
  try {
    if (is_claim(BuildRecord::read(folder))) fs::remove(folder / kBuildRecordName, ignored);
  } catch (const Error&) {
    return;  // there is none, or none that can be read
  }
}

}  // namespace

FileLock open_output_folder(const fs::path& folder,
                            std::string_view builder,
                            const std::vector<fs::path>& names) {
  FileLock lock(folder / "build.lock", "wait for it, or name another folder with --out");
  make_output_folder(folder);
  if (fs::exists(folder / kBuildRecordName)) {
    const BuildRecord there = BuildRecord::read(folder);
    if (there.builder == builder) return lock;
    // One that this function wrote, of a build that failed or was killed, claims nothing.
    if (!is_claim(there)) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("holds what `snellen build {}` made", there.builder),
                  folder.string(),
                  "name another folder with --out"};
    }
  }
  for (const fs::path& name : names) {
    if (!fs::exists(fs::symlink_status(folder / name))) continue;
    throw Error{ErrorCode::kUsage,
                "stands where the build would write, and no build made it",
                (folder / name).string(),
                "move it away, or name another folder with --out"};
  }
  BuildRecord{.builder = std::string(builder), .options = {}, .sources = {}, .is_complete = false}
      .write(folder);
  lock.on_release([folder, names] { remove_claim(folder, names); });
  return lock;
}

std::string shown_path(const fs::path& path) {
  return path.empty() ? std::string() : fs::weakly_canonical(path).string();
}

}  // namespace snellen::builders
