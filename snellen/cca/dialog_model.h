// SPDX-License-Identifier: Apache-2.0
// CCA between the answers and the questions of dialogs: the fit, and the folder that keeps it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "snellen/annotations/visdial/word_vector_file.h"
#include "snellen/cca/dialog_rows.h"
#include "snellen/cca/fit.h"

namespace snellen::cca {

enum class PairChoice {
  kAll,    // every round with its recorded answer
  kHuman,  // annotated rounds with each answer that people found relevant
};

struct DialogFitSettings {
  std::vector<std::filesystem::path> dialogs;         // the first one's words make the vocabulary
  std::vector<std::filesystem::path> annotations;     // kHuman: one per file of dialogs
  std::vector<std::filesystem::path> image_features;  // for a third view: one per file of dialogs
  annotations::WordVectorPlaces vectors;
  PairChoice pairs = PairChoice::kAll;
  FitOptions fit;
  double power = 1;
  uint64_t least_count = 5;  // of a word in the vocabulary
};

// A file that something was made from.
struct NamedSource {
  std::string name;
  std::string sha256;
};

// Const methods are safe from many threads.
struct DialogModel {
  text::DialogEncoder encoder;
  Projections projections;
  std::vector<std::string> views;  // names, in the order of the fit: the answer first
  double power = 1;
  std::string method;
  uint64_t num_rows = 0;  // that were fitted
  std::vector<NamedSource> sources;

  Projector answer_projector(bool is_centred = true) const {
    return projector("answer", is_centred);
  }
  Projector question_projector() const { return projector("question", true); }

  // The folder appears whole or not at all. Throws kUsage where something is there already.
  void write(const std::filesystem::path& folder) const;
  // Throws kNotFound, or kInvalidInput for anything but such a folder.
  static DialogModel read(const std::filesystem::path& folder);

 private:
  Projector projector(const std::string& view, bool is_centred) const;
};

// Throws kUsage for settings that do not fit each other, kInvalidInput for files that do not.
DialogModel fit_dialogs(const DialogFitSettings& settings,
                        unsigned num_threads,
                        const Observe& observe = {});

}  // namespace snellen::cca
