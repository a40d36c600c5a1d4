// SPDX-License-Identifier: Apache-2.0
// Does a model folder compute what its fixture says, stage by stage (spec/models.md 6)? Twice: from
// raw strings and picture files, and from the fixture's own tokens and pixels, so that a fault of
// the tokenizer does not hide one of the model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/media/processor/image_processor.h"
#include "snellen/models/check/stage_result.h"
#include "snellen/models/network.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::run {

struct ModelCheck {
  std::vector<models::StageResult> from_files;
  std::vector<models::StageResult> from_stored;  // empty for a fixture of tokens alone

  // The first that differs, files before stored tensors; null when none does.
  const models::StageResult* first_difference() const;
};

struct ModelCheckParts {
  const models::Network* network = nullptr;  // null for a fixture of tokens alone
  const text::Tokenizer& tokenizer;
  const media::ImageProcessor* processor = nullptr;  // null for models of text
};

// What a part throws is passed on: a folder that cannot be read is no difference.
ModelCheck check_model(const models::Fixture& fixture,
                       const ModelCheckParts& parts,
                       bool is_strict);

}  // namespace snellen::run
