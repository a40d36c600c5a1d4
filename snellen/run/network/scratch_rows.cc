// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/scratch_rows.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::run {

ScratchRows::ScratchRows(const std::filesystem::path& folder, size_t num_values)
    : num_bytes_(num_values * sizeof(float)) {
  if (num_bytes_ == 0) return;
  auto fail = [&](const char* doing) {
    return Error{
        ErrorCode::kIo,
        fmt::format(
            "cannot {} {} MB of working space: {}", doing, num_bytes_ >> 20, std::strerror(errno)),
        folder.string(),
        "free some space, or give another --output"};
  };
  int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    // Some file systems know no nameless files.
    std::string name = (folder / ".working-XXXXXX").string();
    descriptor = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) throw fail("make");
    unlink(name.c_str());
  }
  // Taken now, so that a full disk is an error here and no signal later.
  int code = posix_fallocate(descriptor, 0, static_cast<off_t>(num_bytes_));
  void* mapped = code != 0
                     ? MAP_FAILED
                     : mmap(nullptr, num_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (code != 0) errno = code;
  int reason = errno;
  close(descriptor);
  errno = reason;
  if (mapped == MAP_FAILED) throw fail("take");
  data_ = static_cast<float*>(mapped);
}

ScratchRows::~ScratchRows() {
  if (data_) munmap(data_, num_bytes_);
}

}  // namespace snellen::run
