// SPDX-License-Identifier: Apache-2.0
// What VLBiasBench and its runner leave: a log of a run, lists as Python prints them, and the
// files of questions.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/bias/vlbias.h"
#include "snellen/annotations/bias/vlbias_runs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  (void)annotations::python_texts({reinterpret_cast<const char*>(data), size}).is_ok();
  const fuzz::FuzzFolder folder(
      data, size, {"log.txt", "close-ended/json/base/Age.json", "questions.jsonl"});
  fuzz::try_reading([&] {
    uint64_t count = 0;
    const annotations::LogReading reading = annotations::read_vlbias_log(
        folder.path() / "log.txt", [&](const annotations::ResultRow&) { ++count; });
    if (reading.num_samples != count) std::abort();
  });
  auto read_all = [](const annotations::CloseQuestions& questions) {
    for (size_t i = 0; i < questions.size(); ++i) {
      (void)questions.question(i).is_ok();
      (void)questions.row(i);
    }
  };
  fuzz::try_reading([&] { read_all(annotations::CloseQuestions::of_vlbias(folder.path())); });
  fuzz::try_reading(
      [&] { read_all(annotations::CloseQuestions::of_file(folder.path() / "questions.jsonl")); });
  return 0;
}
