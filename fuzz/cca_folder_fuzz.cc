// SPDX-License-Identifier: Apache-2.0
// A folder of `train cca` in which one file has any bytes: refused, or texts are projected. The
// first byte chooses the file.
#include <array>
#include <span>
#include <vector>

#include "fuzz/fuzz_file.h"
#include "snellen/cca/dialog_model.h"
#include "snellen/formats/npy.h"

namespace {

namespace fs = std::filesystem;
using snellen::formats::write_npy;

constexpr auto kNames = std::to_array<const char*>({"cca.json",
                                                    "word_vectors.npy",
                                                    "eigenvalues.npy",
                                                    "answer_mean.npy",
                                                    "answer_weights.npy",
                                                    "question_weights.npy"});

void write_rows(const fs::path& path, uint64_t rows, uint64_t columns) {
  const std::vector<double> values(rows * columns, 0.5);
  write_npy(path, std::span<const double>(values), rows, columns);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  if (size == 0) return 0;
  const char* changed = kNames[data[0] % kNames.size()];
  const fuzz::FuzzFolder folder(data + 1, size - 1, {changed});
  for (const char* name : kNames) {
    const std::string_view kind = name;
    if (kind == changed) continue;
    if (kind == "cca.json") {
      std::ofstream(folder.path() / name)
          << R"({"format":"snellen-cca","version":1,"method":"mardia","dimensions":2,"power":1,)"
             R"("eps":0.001,"rows":9,"views":["answer","question"],"sources":[],)"
             R"("vocabulary":["<PAD>","<EOS>","<UNK>","yes"]})";
    } else if (kind == "word_vectors.npy") {
      write_rows(folder.path() / name, 4, 3);
    } else if (kind == "eigenvalues.npy") {
      write_rows(folder.path() / name, 1, 2);
    } else {
      const bool is_mean = kind.ends_with("_mean.npy");
      write_rows(folder.path() / name, is_mean ? 1 : 3, is_mean ? 3 : 2);
    }
  }
  write_rows(folder.path() / "question_mean.npy", 1, 3);
  fuzz::try_reading([&] {
    const cca::DialogModel model = cca::DialogModel::read(folder.path());
    std::vector<double> row(model.encoder.dim());
    (void)model.encoder.encode("yes, no maybe", row);
    (void)model.answer_projector().num_dimensions();
    (void)model.question_projector().num_dimensions();
  });
  return 0;
}
