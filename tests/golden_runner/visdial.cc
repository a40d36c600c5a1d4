// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/visdial_meteor.h"

namespace snellen::golden {

std::vector<KnownFile> visdial_files() {
  return {
      pending_file("preprocess.json"),
      pending_file("cider.json"),
      vector_file("meteor.json", check_meteor),
      vector_file("meteor_paraphrase.json", check_meteor_paraphrase),
      pending_file("gens_checks.json"),
      pending_file("embedding.json"),
      pending_file("fasttext.json"),
      companion("fasttext_toy.bin"),
      companion("fasttext_toy_old.bin"),
      pending_file("evaluate/expected.json"),
      companion("evaluate/"),
      pending_file("cca.json"),
      pending_file("clusters.json"),
      pending_file("retrieval.json"),
      pending_file("visdial_toy/"),
  };
}

}  // namespace snellen::golden
