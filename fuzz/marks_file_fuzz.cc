// SPDX-License-Identifier: Apache-2.0
// RUN.marks.jsonl: whatever stands there, a mark that is added is found again, and no other is
// lost.
#include <array>

#include "fuzz/fuzz_file.h"
#include "snellen/store/marks.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFile file(data, size);
  fuzz::try_reading([&] { (void)store::MarkedItems(std::array{file.path()}).size(); });
  const auto before = store::Marks(file.path()).all();
  const store::Mark added{.task = "t", .item = "added by the fuzzer", .note = "n"};
  store::Marks(file.path()).set(added);
  const auto after = store::Marks(file.path()).all();
  if (!after.contains({added.task, added.item})) std::abort();
  for (const auto& [key, mark] : before)
    if (!after.contains(key)) std::abort();
  return 0;
}
