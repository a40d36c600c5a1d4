// SPDX-License-Identifier: Apache-2.0
// Names of checkpoints, and the refs of Hugging Face's cache: what is found lies in the cache.
#include <algorithm>

#include "fuzz/fuzz_file.h"
#include "snellen/models/checkpoint/hub_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const fuzz::FuzzFolder cache(data, size, {"models--o--m/refs/main", "models--o--m/refs/other"});
  std::filesystem::create_directories(cache.path() / "models--o--m/snapshots/abc");
  (void)models::reference_checkpoint(text);
  (void)models::hub_name_of(text);
  fuzz::try_reading([&] { models::refuse_lfs_pointer(text, "w.bin"); });
  for (const char* revision : {"main", "other", "abc"}) {
    fuzz::try_reading([&] {
      const std::filesystem::path found =
          models::find_in_hub_cache({"o/m", revision}, cache.path());
      const std::string inside = std::filesystem::canonical(found).string();
      if (!inside.starts_with(std::filesystem::canonical(cache.path()).string())) std::abort();
    });
  }
  (void)models::installed_snapshots(cache.path());
  return 0;
}
