// SPDX-License-Identifier: Apache-2.0
// A generations file of any bytes: refused with an Error, or read, prepared in every way and never
// crashed on.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/visdial/generations.h"
#include "snellen/base/error.h"
#include "snellen/text/words/treebank.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::fuzz::FuzzFile file(data, size);
  try {
    snellen::annotations::Generations generations(file.path());
    for (size_t i = 0; i < generations.size(); ++i) {
      for (const std::string& text : generations.texts(i)) {
        snellen::text::prepare_generation(text, snellen::text::Preprocess::kNltk34);
        snellen::text::prepare_generation(text, snellen::text::Preprocess::kModern);
      }
    }
  } catch (const snellen::Error&) {
  }
  return 0;
}
