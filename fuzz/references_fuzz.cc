// SPDX-License-Identifier: Apache-2.0
// A reference file of any bytes: refused with an Error, or read and used as a CIDEr corpus that
// gives finite scores.
#include <cmath>

#include "fuzz/fuzz_file.h"
#include "snellen/annotations/visdial/references.h"
#include "snellen/base/error.h"
#include "snellen/metrics/text/cider.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  try {
    snellen::annotations::References references =
        snellen::annotations::read_references(file.path());
    snellen::metrics::CiderCorpus corpus(references.sets, {});
    for (size_t set = 0; set < references.sets.size(); ++set) {
      std::string_view other =
          references.sets.pool()[references.sets.ids(references.sets.size() - 1 - set)[0]];
      for (double score : corpus.score(std::string(other) + " not seen", set)) {
        if (!std::isfinite(score)) std::abort();
      }
    }
  } catch (const snellen::Error&) {
  }
  return 0;
}
