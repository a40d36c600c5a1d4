// SPDX-License-Identifier: Apache-2.0
// For tests only: small files written to a folder of the test's own, and the message a reader fails
// with.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::annotations {

class DialogFiles : public testing::Test {
 protected:
  DialogFiles() { std::filesystem::create_directories(folder_); }
  ~DialogFiles() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(std::string_view json, const char* name = "f.json") const {
    write_text_file(folder_ / name, json);
    return folder_ / name;
  }

  // What the call throws, without the folder.
  template <typename Call>
  std::string failure_of(Call call) const {
    try {
      call();
    } catch (const Error& error) {
      std::string what = error.what();
      std::string prefix = folder_.string() + "/";
      return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
    }
    return "nothing was thrown";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      fmt::format("snellen_dialog_files_{}", reinterpret_cast<uintptr_t>(this));
};

}  // namespace snellen::annotations
