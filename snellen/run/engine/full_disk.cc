// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/full_disk.h"

#include <sys/stat.h>

#include <fmt/format.h>

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// A disk with less is called full; a commit of samples takes a few megabytes.
constexpr uint64_t kBytesOfAFullDisk = uint64_t{16} << 20;

// The topmost folder on the same disk.
fs::path disk_of(const fs::path& folder) {
  struct stat status {};
  struct stat above {};
  fs::path top = fs::absolute(folder).lexically_normal();
  if (::stat(top.c_str(), &status) != 0) return top;
  while (top.has_parent_path() && top != top.parent_path() &&
         ::stat(top.parent_path().c_str(), &above) == 0 && above.st_dev == status.st_dev)
    top = top.parent_path();
  return top;
}

}  // namespace

Error with_next_step(const Error& error, const fs::path& output, const std::string& command) {
  std::error_code unknown;
  const fs::space_info space = fs::space(output, unknown);
  const bool is_full = !unknown && space.available < kBytesOfAFullDisk;
  const std::string what = is_full
                               ? fmt::format("{}; {:.1f} of {:.1f} MB are free on the disk at {}",
                                             error.message(),
                                             static_cast<double>(space.available) / 1e6,
                                             static_cast<double>(space.capacity) / 1e6,
                                             disk_of(output).string())
                               : error.message();
  const std::string first = is_full ? "free some space" : error.hint();
  return Error{error.code(),
               what,
               error.where(),
               fmt::format("{}{}what was scored is kept, go on with: {}",
                           first,
                           first.empty() ? "" : "; ",
                           command)};
}

}  // namespace snellen::run
