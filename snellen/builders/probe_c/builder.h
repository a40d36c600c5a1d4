// SPDX-License-Identifier: Apache-2.0
// Probe-C groups from COCO captions (docs/spec/probe.md 6.3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snellen/builders/probe_c/caption_index.h"

namespace snellen::builders::probe_c {

struct BuilderOptions {
  uint64_t seed = 0;
  uint64_t object_switch_per_pair = 5;
};

// Two images and their pairs, as numbers of the index and its lexicon.
struct SwitchGroup {
  uint32_t image1;
  Pair pair1;
  uint32_t image2;
  Pair pair2;
};

// "A photo of a {attribute} {noun}."
std::string prompt_of(const Lexicon& lexicon, const Pair& pair);
// The group as Python's json writes the released files.
void append_json(std::string& out, const CaptionIndex& index, const SwitchGroup& group);

enum class SwitchSplit { kComposition, kObject };

// Const methods are safe from many threads.
class Builder {
 public:
  Builder(const CaptionIndex& index, const BuilderOptions& options)
      : index_(index), options_(options) {}

  // The groups whose first image this is, in the order of its pairs.
  std::vector<SwitchGroup> groups(SwitchSplit split, uint32_t image) const;

 private:
  void add_composition(uint32_t image, const Pair& pair, std::vector<SwitchGroup>& groups) const;
  void add_objects(uint32_t image, const Pair& pair, std::vector<SwitchGroup>& groups) const;

  const CaptionIndex& index_;
  BuilderOptions options_;
};

}  // namespace snellen::builders::probe_c
