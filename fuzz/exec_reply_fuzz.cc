// SPDX-License-Identifier: Apache-2.0
// What an adapter program writes on its output.
#include <cstdint>
#include <string_view>

#include "snellen/models/exec/line_buffers.h"
#include "snellen/models/exec/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace exec = snellen::models::exec;
  exec::AnswerLines lines(exec::kMostLineBytes);
  lines.add({reinterpret_cast<const char*>(data), size});
  while (std::optional<std::string> line = lines.next()) {
    (void)exec::read_ready(*line).is_ok();
    snellen::Result<exec::Reply> reply = exec::read_reply(*line);
    if (!reply || !reply->values) continue;
    (void)exec::usable_values(*reply->values, {.texts = {"a", "b"}}, exec::Mode::kPerplexity)
        .is_ok();
  }
  return 0;
}
