// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/stdin_file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::cli {

StdinFile::StdinFile() {
  std::string pattern = (std::filesystem::temp_directory_path() / "snellen-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw Error{ErrorCode::kIo,
                fmt::format("a temporary folder cannot be made: {}", std::strerror(errno)),
                pattern,
                "free some space there, or set TMPDIR to another folder"};
  }
  folder_ = pattern;
  try {
    AtomicFile file(path());
    std::array<char, 1 << 16> piece{};
    while (true) {
      ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        throw Error{
            ErrorCode::kIo, fmt::format("cannot be read: {}", std::strerror(errno)), "stdin"};
      if (got == 0) break;
      file.write({piece.data(), static_cast<size_t>(got)});
    }
    file.commit();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

StdinFile::~StdinFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace snellen::cli
