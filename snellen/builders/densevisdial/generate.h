// SPDX-License-Identifier: Apache-2.0
// Answers to the questions of dialogs from those of training dialogs (CCA-AQ-G,
// docs/spec/visdial.md 5.7).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "snellen/builders/building.h"
#include "snellen/cca/dialog_model.h"

namespace snellen::builders::densevisdial {

struct GenerationOptions {
  std::vector<size_t> counts = {1};  // answers per question, a file each
  bool is_compat = false;
};

// "gens_k5.json"
std::string generations_name(size_t num_answers);

// Writes gens_k1.json and so on into `folder`, the generations of every question
// (docs/spec/visdial.md 2.1); each distinct question is answered once. The bytes depend on the
// files and options alone.
BuildReport generate(const cca::DialogModel& model,
                     const std::filesystem::path& training_dialogs,
                     const std::filesystem::path& dialogs,
                     const GenerationOptions& options,
                     const std::filesystem::path& folder,
                     const Workers& workers);

}  // namespace snellen::builders::densevisdial
