// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/folder_names.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "snellen/base/descriptor.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen {
namespace {

namespace fs = std::filesystem;

// One that no clean-up takes for half written: it may be the only copy.
fs::path aside_of(const fs::path& folder) {
  fs::path aside = half_written_path(folder);
  return aside.replace_extension(".aside");
}

void exchange_by_renames(const fs::path& first, const fs::path& second) {
  const fs::path aside = aside_of(first);
  rename_into_place(first, aside);
  try {
    rename_into_place(second, first);
  } catch (const Error& failure) {
    std::error_code not_back;
    fs::rename(aside, first, not_back);
    if (!not_back) throw;
    throw Error{ErrorCode::kIo,
                fmt::format("{}; what stood here is in {} now", failure.message(), aside.string()),
                first.string(),
                "rename it back"};
  }
  rename_into_place(aside, second);
}

}  // namespace

void sync_name_of(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that may be written but not read cannot be opened, and some file systems sync none.
  if (descriptor.is_open() && ::fsync(descriptor.get()) != 0 && errno == EIO) {
    throw Error{
        ErrorCode::kIo, fmt::format("cannot be synced: {}", std::strerror(EIO)), path.string()};
  }
}

void exchange_folders(const fs::path& first, const fs::path& second) {
  if (::renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) != 0) {
    const int failure = errno;
    if (failure != EINVAL && failure != ENOSYS) {
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot be put in place: {}", std::strerror(failure)),
                  first.string()};
    }
    exchange_by_renames(first, second);
    return;
  }
  sync_name_of(first);
  sync_name_of(second);
}

}  // namespace snellen
