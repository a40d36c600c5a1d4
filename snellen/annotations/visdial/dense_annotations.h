// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"

namespace snellen::annotations {

class DialogFile;

// How relevant people found each candidate of some rounds (docs/spec/visdial.md 2.4): the key is
// `gt_relevance` or, in the published training file, `relevance`. The file counts rounds from 1,
// keys here from 0. Rounds in which nothing is relevant count as absent.
struct DenseAnnotations {
  std::filesystem::path path;
  std::vector<DialogKey> keys;    // sorted
  std::vector<double> relevance;  // [keys, 100]
  size_t num_without = 0;         // rounds in which nothing is relevant

  // The 100 values of a round; empty where it was not annotated.
  std::span<const double> find(const DialogKey& key) const;
};

// Throws kNotFound, or kInvalidInput as "file: entry K: reason".
DenseAnnotations read_dense_annotations(std::filesystem::path path);

// Throws kInvalidInput where annotated rounds are not among the dialogs: those of another split.
void expect_rounds_among(const DenseAnnotations& annotations, const DialogFile& dialogs);

}  // namespace snellen::annotations
