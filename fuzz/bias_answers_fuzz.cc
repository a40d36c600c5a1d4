// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table: either an Error or records, whatever the format.
#include <cstdint>
#include <sstream>
#include <string>

#include "snellen/annotations/bias/bias_answers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::annotations;  // NOLINT(google-build-using-namespace): one function
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    TableReader reader(in, "fuzz", {.max_record_bytes = 1 << 16});
    for (TableRow row; reader.next(row);) {
      (void)read_close_row(row);
      (void)read_open_row(row);
      (void)read_result_row(row);
      (void)read_answer_row(row);
      (void)read_ladder_row(row);
      (void)read_score_row(row);
    }
  } catch (const snellen::Error&) {
    // Broken structure; the message is the test.
  }
  return 0;
}
