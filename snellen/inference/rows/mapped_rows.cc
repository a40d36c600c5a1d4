// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/mapped_rows.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/inference/rows/nameless_file.h"

namespace snellen::inference {

MappedRows::MappedRows(const std::filesystem::path& folder, size_t num_values)
    : num_bytes_(num_values * sizeof(float)) {
  if (num_bytes_ == 0) return;
  auto fail = [&](const char* doing) {
    return Error{
        ErrorCode::kIo,
        fmt::format(
            "cannot {} {} MB of working space: {}", doing, num_bytes_ >> 20, std::strerror(errno)),
        folder.string(),
        "free some space, then run the same command again to resume, or give another --output"};
  };
  Descriptor file = open_nameless_file(folder);
  if (!file.is_open()) throw fail("make");
  // Taken now, so that a full disk is an error here and no signal later.
  int code = posix_fallocate(file.get(), 0, static_cast<off_t>(num_bytes_));
  void* mapped = code != 0
                     ? MAP_FAILED
                     : mmap(nullptr, num_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (code != 0) errno = code;
  if (mapped == MAP_FAILED) throw fail("take");
  data_ = static_cast<float*>(mapped);
}

MappedRows::~MappedRows() {
  if (data_) munmap(data_, num_bytes_);
}

}  // namespace snellen::inference
