// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/visdial_meteor.h"
#include "tests/golden_runner/visdial_sets.h"
#include "tests/golden_runner/visdial_text.h"

namespace snellen::golden {

std::vector<KnownFile> visdial_files() {
  return {
      vector_file("preprocess.json", check_preprocess),
      vector_file("cider.json", check_cider),
      vector_file("meteor.json", check_meteor),
      vector_file("meteor_paraphrase.json", check_meteor_paraphrase),
      vector_file("gens_checks.json", check_gens),
      vector_file("embedding.json", check_embedding),
      vector_file("fasttext.json", check_fasttext),
      companion("fasttext_toy.bin"),
      companion("fasttext_toy_old.bin"),
      vector_file("evaluate/expected.json", check_evaluate),
      companion("evaluate/"),
      vector_file("cca.json", check_cca),
      vector_file("clusters.json", check_clusters),
      vector_file("retrieval.json", check_retrieval),
      vector_file("visdial_toy/expected.json", check_toy),
      companion("visdial_toy/"),
  };
}

}  // namespace snellen::golden
