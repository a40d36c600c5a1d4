// SPDX-License-Identifier: Apache-2.0
// What a model is asked while it is trained, or between two others.
#pragma once

#include <memory>
#include <vector>

#include "apps/cli/verb.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/training/probes/probe_question.h"
#include "snellen/training/settings.h"

namespace snellen::cli {

// --probe, --probe-images, --probe-scenes.
void add_probe_flags(CLI::App& verb, training::ProbeSettings& flags);

// The questions of the files, in their order, without the held-out world. Throws kNotFound and
// kInvalidInput for files that cannot be used at all. The processor must outlive them.
std::vector<std::unique_ptr<training::ProbeSource>> file_probes(
    const Context& context,
    const training::ProbeSettings& flags,
    const media::ImageProcessor& processor);

// The questions about the held-out world, or naming alone.
std::unique_ptr<training::ProbeSource> held_out_probe(const training::ProbeSettings& flags,
                                                      const media::ImageProcessor& processor,
                                                      bool is_naming_alone);

}  // namespace snellen::cli
