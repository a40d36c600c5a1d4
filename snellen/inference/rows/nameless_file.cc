// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/nameless_file.h"

#include <fcntl.h>
#include <stdlib.h>

#include <string>

namespace snellen::inference {

Descriptor open_nameless_file(const std::filesystem::path& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  // Some file systems know no nameless files.
  std::string name = (folder / ".working-XXXXXX").string();
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (file.is_open()) ::unlink(name.c_str());
  return file;
}

}  // namespace snellen::inference
