// SPDX-License-Identifier: Apache-2.0
// From dialogs to the rows that are fitted (docs/spec/visdial.md 5.1 and 5.4).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/visdial/dense_annotations.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/cca/fit.h"
#include "snellen/text/vectors/dialog_vectors.h"

namespace snellen::cca {

// Hears which step is under way, how far it is, of how much.
using Observe = std::function<void(std::string_view step, uint64_t done, uint64_t total)>;

// The words of captions, questions and recorded answers that come at least `least` times.
text::DialogVocabulary vocabulary_of(const annotations::DialogFile& dialogs,
                                     uint64_t least,
                                     unsigned num_threads);

// One row per text of the pool.
Rows embed(const text::StringPool& texts,
           const text::SentenceEncoder& encoder,
           unsigned num_threads,
           const std::function<void(uint64_t done, uint64_t total)>& tell = {});

// Rows in the common space, each of length 1 (or 0), so that a product of two is their cosine:
// `fill` writes the rows from `first` on, from many threads.
using FillRows = std::function<void(int64_t first, Rows& block)>;
Rows unit_projections(const Projector& projector,
                      int64_t num_rows,
                      const FillRows& fill,
                      unsigned num_threads,
                      const std::function<void(uint64_t done, uint64_t total)>& tell = {});
// Of every text of the pool.
Rows unit_projections(const Projector& projector,
                      const text::StringPool& texts,
                      const text::SentenceEncoder& encoder,
                      unsigned num_threads,
                      const std::function<void(uint64_t done, uint64_t total)>& tell = {});

// The training rows of one file: ids of answers and questions, and the dialog.
struct TrainingPairs {
  std::vector<uint32_t> answers;
  std::vector<uint32_t> questions;
  std::vector<uint32_t> dialogs;
};
// Every round with its recorded answer.
TrainingPairs all_pairs(const annotations::DialogFile& dialogs);
// Every annotated round with each candidate that people found relevant, and the recorded one.
// Throws kInvalidInput where an annotated round is not among the dialogs.
TrainingPairs human_pairs(const annotations::DialogFile& dialogs,
                          const annotations::DenseAnnotations& annotations);

// Features of the pictures, one row per dialog in file order: a NumPy matrix with that many rows,
// or
// {"dim", "vectors": {image_id: [numbers]}}. Throws kInvalidInput where a dialog has none.
Rows image_features(const std::filesystem::path& path, const annotations::DialogFile& dialogs);

}  // namespace snellen::cca
