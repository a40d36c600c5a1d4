// SPDX-License-Identifier: Apache-2.0
// Published files as samples.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "snellen/media/processor/image_processor.h"
#include "snellen/training/data/sample_source.h"

namespace snellen::training {

using Folders = std::vector<std::filesystem::path>;

// captions_*.json of COCO: an epoch is every picture once, with one of its captions from the stream
// "0|train-coco-caption|{epoch}|{image}". Pictures are looked for in `folders` as COCO names them,
// or as ID.jpg. Throws kNotFound and kInvalidInput for the file; a picture that cannot be read, or
// a bad record, is an Error of its sample.
std::unique_ptr<SampleSource> coco_captions(const std::filesystem::path& file,
                                            Folders folders,
                                            const media::ImageProcessor& processor);

// relcomp_train.jsonl (docs/spec/probe.md 7.1): one compositional and one relational sample in
// each; an epoch has as many as there are of the more frequent kind, and goes through the other
// again. Visual Genome's pictures are ID.jpg, also below VG_100K and VG_100K_2.
std::unique_ptr<SampleSource> relcomp_samples(const std::filesystem::path& file,
                                              Folders folders,
                                              const media::ImageProcessor& processor);

}  // namespace snellen::training
