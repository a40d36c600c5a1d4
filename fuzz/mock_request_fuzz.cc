// SPDX-License-Identifier: Apache-2.0
// What a client may send to the mock endpoint.
#include "fuzz/fuzz_file.h"
#include "snellen/models/openai/mock.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::models::openai;  // NOLINT(google-build-using-namespace): one function
  const std::string body(reinterpret_cast<const char*>(data), size);
  for (const char* mode : {"hash", "texture:10:A:C", "biased:0.5", "think"}) {
    Mock mock({.mode = mock_mode_of(mode)});
    const auto response =
        mock.answer({.method = "POST", .path = "/v1/chat/completions", .body = body});
    if (response.status != 200 && response.status != 400) std::abort();
  }
  snellen::fuzz::try_reading([&] { (void)mock_mode_of(body); });
  snellen::fuzz::try_reading([&] { (void)mock_fault_of(body); });
  return 0;
}
