// SPDX-License-Identifier: Apache-2.0
// Logs of inspect_ai: an archive of any bytes, and a sound archive with a header, a sample and a
// piece of its long texts of any bytes.
#include <algorithm>

#include "apps/cli/import/imported.h"
#include "fuzz/fuzz_file.h"
#include "snellen/testing/handmade_files.h"

namespace {

void read(std::string_view archive) {
  const snellen::fuzz::FuzzFile file(reinterpret_cast<const uint8_t*>(archive.data()),
                                     archive.size());
  snellen::fuzz::try_reading([&] {
    if (snellen::cli::read_inspect_log(file.path().string()).samples.empty()) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("PK")) {
    read(bytes);
    return 0;
  }
  // Header, sample and piece, divided by lines.
  const size_t first = std::min(bytes.find('\n'), size);
  const size_t second = std::min(bytes.find('\n', std::min(first + 1, size)), size);
  const std::string header(bytes.substr(0, first));
  const std::string sample(
      bytes.substr(std::min(first + 1, size), second - std::min(first + 1, second)));
  const std::string piece(bytes.substr(std::min(second + 1, size)));
  namespace handmade = snellen::models::handmade;
  read(handmade::zip({{"header.json", header}, {"samples/a_epoch_1.json", sample}}));
  read(handmade::zip({{"_journal/start.json", header},
                      {"samples/a/b_epoch_2/sample.json", sample},
                      {"samples/a/b_epoch_2/attachments/0.json", piece}}));
  return 0;
}
