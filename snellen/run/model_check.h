// SPDX-License-Identifier: Apache-2.0
// Does a model folder compute what its fixture says, stage by stage (docs/spec/models.md 6)? Twice:
// from raw strings and picture files, and from the fixture's own tokens and pixels, so that a fault
// of the tokenizer does not hide one of the model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/media/processor/image_processor.h"
#include "snellen/models/check/stage_result.h"
#include "snellen/models/network.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::run {

struct ModelCheck {
  std::vector<models::StageResult> from_files;
  std::vector<models::StageResult> from_stored;  // empty without a network

  // The first that differs, files before stored tensors; null when none does.
  const models::StageResult* first_difference() const;
};

struct ModelCheckParts {
  // Null leaves out the stages behind tokens and pixels.
  const models::Network* network = nullptr;
  const text::Tokenizer& tokenizer;
  const media::ImageProcessor* processor = nullptr;  // null for models of text
};

// The processor of a model folder, resizing as the Pillow that made the fixture does.
media::ImageProcessor processor_of(const models::Fixture& fixture, media::ProcessorConfig config);

// What a part throws is passed on: a folder that cannot be read is no difference.
ModelCheck check_model(const models::Fixture& fixture,
                       const ModelCheckParts& parts,
                       bool is_strict);

}  // namespace snellen::run
