// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/file_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snellen/base/error.h"

namespace snellen {
namespace {

// Whoever held the lock before may have removed the file between our open and our lock.
bool is_still_there(int descriptor, const std::filesystem::path& file) {
  struct stat ours {};
  struct stat there {};
  return ::fstat(descriptor, &ours) == 0 && ::stat(file.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

}  // namespace

FileLock::FileLock(std::filesystem::path file, const std::string& busy_hint)
    : file_(std::move(file)) {
  std::error_code ignored;
  for (std::filesystem::path folder = file_.parent_path();
       folder.has_relative_path() && !std::filesystem::exists(folder, ignored);
       folder = folder.parent_path())
    made_folders_.push_back(folder);
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), ignored);
  const std::string where = file_.parent_path().string();
  do {
    descriptor_ =
        Descriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!descriptor_.is_open()) {
      throw Error{errno == ENOSPC ? ErrorCode::kIo : ErrorCode::kNotFound,
                  fmt::format("cannot be written: {}", std::strerror(errno)),
                  where,
                  "choose a folder that can be written"};
    }
    if (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) continue;
    const int failure = errno;
    descriptor_.close();
    if (failure == EWOULDBLOCK)
      throw Error{ErrorCode::kBusy, "another process is writing here", where, busy_hint};
    throw Error{ErrorCode::kIo,
                fmt::format("cannot be locked: {}", std::strerror(failure)),
                where,
                "choose a folder on a file system with locks, for instance a local disk"};
  } while (!is_still_there(descriptor_.get(), file_));
}

FileLock::~FileLock() {
  if (!descriptor_.is_open()) return;
  if (last_) last_();
  ::unlink(file_.c_str());
  // One that holds anything stays, and those above it.
  for (const std::filesystem::path& folder : made_folders_) {
    if (::rmdir(folder.c_str()) != 0) break;
  }
}

}  // namespace snellen
