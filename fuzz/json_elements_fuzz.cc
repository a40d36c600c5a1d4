// SPDX-License-Identifier: Apache-2.0
// Annotation files of the probes: the splitter, and every reader on every record.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/probe/probe_files.h"
#include "snellen/base/error.h"

namespace {

template <typename File>
void read_all(const std::filesystem::path& path) {
  try {
    File file(path);
    for (size_t i = 0; i < file.elements().size(); ++i) (void)file.group(i).is_ok();
  } catch (const snellen::Error&) {
    return;  // refusing is right
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  const std::filesystem::path& path = file.path();
  read_all<snellen::annotations::ProbeRFile>(path);
  read_all<snellen::annotations::ProbeCFile>(path);
  read_all<snellen::annotations::BackgroundFile>(path);
  read_all<snellen::annotations::CooccurrenceFile>(path);
  return 0;
}
