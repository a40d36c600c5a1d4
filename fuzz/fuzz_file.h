// SPDX-License-Identifier: Apache-2.0
// Readers take paths, fuzzers give bytes: a file that lives as long as this object.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include "snellen/base/error.h"

namespace snellen::fuzz {

class FuzzFile {
 public:
  FuzzFile(const uint8_t* data, size_t size)
      : path_(std::filesystem::temp_directory_path() /
              ("snellen_fuzz_" + std::to_string(getpid()))) {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  ~FuzzFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  FuzzFile(const FuzzFile&) = delete;
  FuzzFile& operator=(const FuzzFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The same for readers of folders: the bytes as a file of each of these names.
class FuzzFolder {
 public:
  FuzzFolder(const uint8_t* data, size_t size, std::initializer_list<std::string_view> names)
      : path_(std::filesystem::temp_directory_path() /
              ("snellen_fuzz_folder_" + std::to_string(getpid()))) {
    for (std::string_view name : names) {
      std::filesystem::create_directories((path_ / name).parent_path());
      std::ofstream file(path_ / name, std::ios::binary | std::ios::trunc);
      file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    }
  }
  ~FuzzFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FuzzFolder(const FuzzFolder&) = delete;
  FuzzFolder& operator=(const FuzzFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <typename Read>
void try_reading(Read read) {
  try {
    read();
  } catch (const Error&) {
    return;  // refusing is right
  }
}

}  // namespace snellen::fuzz
