// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/training/data/batch.h"

namespace snellen::training {

// One thing to learn from; places are those within the sample.
struct Sample {
  std::vector<media::Image> pictures;  // squares of the model's side; frames after frames of clips
  std::vector<std::string> texts;
  std::vector<Match> matches;
  std::vector<Contrast> contrasts;  // their weights add up to 1, or there are none
};

// Both in one; each keeps half of its contrasts' weights where both have some.
Sample joined(Sample first, Sample second, uint32_t num_frames = 1);

// The contrasts of docs/spec/probe.md 7.3 for two pictures and their two prompts: four.
std::vector<Contrast> composition_contrasts();
// And for a picture with prompts R1 (right), R2 and R3: two.
std::vector<Contrast> relation_contrasts();
// For two pictures with their prompts, each false of the other picture, and two prompts that are
// false of the first: six. `kind` is a literal.
std::vector<Contrast> direction_contrasts(std::string_view kind);

// Where samples come from. Everything is const and safe from many threads, and equal for equal
// arguments, so that a batch depends on the seed and the step alone.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  // Samples of an epoch.
  virtual uint64_t size() const = 0;
  // One of 0 .. size() - 1. Its words may change from epoch to epoch. An Error for one that cannot
  // be read.
  virtual Result<Sample> sample(uint64_t epoch, uint64_t index) const = 0;
  // What decides the samples, for the stamp of a training: files by their content, not their path.
  virtual std::string identity() const = 0;
};

// All samples of both, those of `first` before those of `second`.
std::unique_ptr<SampleSource> both_of(std::unique_ptr<SampleSource> first,
                                      std::unique_ptr<SampleSource> second);

}  // namespace snellen::training
