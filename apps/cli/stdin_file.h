// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/scratch_folder.h"

namespace snellen::cli {

// Standard input as a file that can be mapped and read twice; removed with the object. Its name is
// always "stdin", so that a stamp does not depend on where it lay.
class StdinFile {
 public:
  // Reads to the end of standard input. Throws kIo.
  StdinFile();

  std::filesystem::path path() const { return folder_ / "stdin"; }

 private:
  ScratchFolder folder_;
};

}  // namespace snellen::cli
