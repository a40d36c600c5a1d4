// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"

namespace snellen::models::exec {
namespace {

namespace fs = std::filesystem;

// On a network disk the lock of a folder is often known on one machine alone: each machine cleans
// up after itself, by its name in the folder's.
std::string own_prefix() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = 0;
  return fmt::format(".snellen-exec-{:08x}-", fnv1a64(host.data()) & 0xFFFFFFFFU);
}

// Not open when another process holds it.
Descriptor lock_of(const fs::path& folder) {
  Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (lock.is_open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.close();
  return lock;
}

void remove_left_behind(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (fs::directory_iterator at(parent, ignored), end; at != end; at.increment(ignored)) {
    if (!at->path().filename().string().starts_with(prefix)) continue;
    if (lock_of(at->path()).is_open()) fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  std::error_code ignored;
  fs::create_directories(parent, ignored);
  const std::string prefix = own_prefix();
  remove_left_behind(parent, prefix);
  // Another process may take a folder for left behind before its lock is held: then once more.
  for (int attempt = 0; attempt < 10 && !lock_.is_open(); ++attempt) {
    std::string name = (parent / fmt::format("{}XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) == nullptr) break;
    path_ = name;
    lock_ = lock_of(path_);
    if (!fs::exists(path_, ignored)) lock_.close();
  }
  if (!lock_.is_open())
    throw Error{ErrorCode::kIo,
                fmt::format("cannot make a folder for frames: {}", std::strerror(errno)),
                parent.string(),
                "give an --output that can be written"};
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace snellen::models::exec
