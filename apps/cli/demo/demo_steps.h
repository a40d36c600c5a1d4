// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace snellen::cli {

using Arguments = std::vector<std::string>;

// Runs this program again and again: prints each command, keeps what it prints in a log. What the
// steps would write to the user's settings (builds register their data) goes to `settings`.
class DemoSteps {
 public:
  DemoSteps(std::string program,
            std::filesystem::path log,
            std::filesystem::path settings,
            bool is_silent);

  // Throws kIo with the end of the log unless the command ends well (exit code 4, some items
  // failed, counts as well), and kInterrupted after Ctrl-C.
  void run(const Arguments& arguments);
  // The same, with what it prints in a file of its own.
  void run_into(const Arguments& arguments, const std::filesystem::path& file);

 private:
  int exit_code_of(const Arguments& arguments, const std::filesystem::path& file) const;

  std::string program_;
  std::filesystem::path log_;
  std::filesystem::path settings_;
  bool is_silent_;
};

}  // namespace snellen::cli
