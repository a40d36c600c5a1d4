// SPDX-License-Identifier: Apache-2.0
// A file of any bytes as VisDial dialogs, relevances and ranks: refused with an Error, or read.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/visdial/dense_annotations.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/annotations/visdial/ranks_file.h"
#include "snellen/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  try {
    const snellen::annotations::DialogFile dialogs(file.path());
    for (size_t i = 0; i < dialogs.num_dialogs(); ++i) {
      const auto candidates = dialogs.candidates(i);
      if (candidates.size() != dialogs.first_round(i + 1) - dialogs.first_round(i)) std::abort();
      dialogs.caption(i);
    }
  } catch (const snellen::Error&) {
  }
  try {
    const auto dense = snellen::annotations::read_dense_annotations(file.path());
    for (const auto& key : dense.keys)
      if (dense.find(key).size() != 100) std::abort();
  } catch (const snellen::Error&) {
  }
  try {
    const snellen::annotations::RanksFile ranks(file.path());
    for (const auto& entry : ranks.entries())
      if (ranks.find(entry.key).size() != 100) std::abort();
  } catch (const snellen::Error&) {
  }
  return 0;
}
