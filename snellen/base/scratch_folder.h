// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen {

// A folder among the temporary files, named `prefix` and six letters; gone with this object.
class ScratchFolder {
 public:
  // Throws kIo when it cannot be made.
  explicit ScratchFolder(std::string_view prefix = "snellen") {
    std::string name =
        (std::filesystem::temp_directory_path() / fmt::format("{}-XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error{ErrorCode::kIo,
                  fmt::format("a temporary folder cannot be made: {}", std::strerror(errno)),
                  name,
                  "free some space there, or set TMPDIR to another folder"};
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace snellen
