// SPDX-License-Identifier: Apache-2.0
// OTTER's checkpoint and the configuration of its text encoder: a model folder, or refused with
// nothing left behind.
#include <algorithm>

#include "fuzz/fuzz_file.h"
#include "snellen/models/checkpoint/otter_layout.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  namespace fs = std::filesystem;
  // The configuration is the first line where the checkpoint does not begin the input.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t line = bytes.starts_with("PK") ? 0 : std::min(bytes.find('\n') + 1, size);
  const fuzz::FuzzFolder folder(data, size, {"checkpoint"});
  fs::create_directories(folder.path() / "text");
  std::ofstream(folder.path() / "text/config.json")
      << (line == 0 ? R"({"hidden_size": 4})" : bytes.substr(0, line));
  std::ofstream(folder.path() / "checkpoint", std::ios::binary) << bytes.substr(line);
  const fs::path out = folder.path() / "out";
  try {
    (void)models::convert_otter(
        {.checkpoint = folder.path() / "checkpoint", .text_model = folder.path() / "text"}, out);
    if (!fs::is_regular_file(out / "model.safetensors")) std::abort();
  } catch (const Error&) {
    if (fs::exists(out)) std::abort();
  }
  return 0;
}
