// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/stdin_file.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::cli {

StdinFile::StdinFile() {
  AtomicFile file(path());
  std::array<char, 1 << 16> piece{};
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw Error{ErrorCode::kIo, fmt::format("cannot be read: {}", std::strerror(errno)), "stdin"};
    if (got == 0) break;
    file.write({piece.data(), static_cast<size_t>(got)});
  }
  file.commit();
}

}  // namespace snellen::cli
