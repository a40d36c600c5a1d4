// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "apps/cli/verb.h"
#include "snellen/tasks/visdial_gen/settings.h"

namespace snellen::cli {

// The vectors that `score visdial-gen --bert-model DIR` needs, computed with the BERT in DIR: of
// every generation after preprocessing and every reference, the last layer at [CLS], 16 tokens at
// most (docs/spec/visdial.md 3.5). A file in a temporary folder, removed with the object.
class BertVectors {
 public:
  // Throws what reading the files or the model throws; kUsage for a model that encodes no texts.
  BertVectors(const Context& context, const config::Options& options);
  ~BertVectors();
  BertVectors(const BertVectors&) = delete;
  BertVectors& operator=(const BertVectors&) = delete;

  // Whether the options ask for it.
  static bool is_wanted(const config::Options& options);
  // For the task: the file, and the files of the model.
  tasks::visdial_gen::ComputedVectors computed() const { return {path(), model_files_}; }

 private:
  std::filesystem::path path() const { return folder_ / "bert_vectors.json"; }

  std::vector<std::filesystem::path> model_files_;
  std::filesystem::path folder_;
};

}  // namespace snellen::cli
