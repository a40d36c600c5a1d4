// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "snellen/annotations/coco/coco_captions.h"
#include "snellen/builders/building.h"
#include "snellen/builders/probe_c/lexicon.h"

namespace snellen::builders::probe_c {

// What the captions of each image say: P[i], N[i], and the images of each pair
// (docs/spec/probe.md 6.3). Images are numbered by ascending id. Const methods are safe from many
// threads.
class CaptionIndex {
 public:
  // Bad captions, and the second of two of one id, are left out and told to `bad`. The images of
  // `left_out` are not there. `lexicon` must outlive the index.
  CaptionIndex(const annotations::CocoCaptionsFile& file,
               const Lexicon& lexicon,
               const builders::Workers& workers,
               builders::BadRecords& bad,
               const std::unordered_set<int64_t>& left_out = {});

  const Lexicon& lexicon() const { return lexicon_; }
  size_t num_images() const { return ids_.size(); }
  uint64_t num_left_out() const { return num_left_out_; }  // images that have captions
  int64_t id(uint32_t image) const { return ids_[image]; }
  // Empty for images that are called as in COCO's val2014.
  std::string_view own_file(uint32_t image) const;
  // Sorted.
  std::span<const Pair> pairs_of(uint32_t image) const;
  bool mentions(uint32_t image, uint32_t noun) const;
  // Whether the image has the pair with the attribute or one of its synonyms.
  bool has(uint32_t image, uint32_t attribute, uint32_t noun) const;
  // Ascending; empty for a pair that never occurs.
  std::span<const uint32_t> images_with(const Pair& pair) const;
  // Nouns that occur with the attribute, sorted.
  std::span<const uint32_t> nouns_with(uint32_t attribute) const;

 private:
  struct Words;
  void index(std::vector<Words>& captions, const std::unordered_set<int64_t>& left_out);
  void index_pairs();

  const Lexicon& lexicon_;
  uint64_t num_left_out_ = 0;
  std::vector<int64_t> ids_;
  std::map<int64_t, std::string> own_files_;  // by id
  std::vector<uint64_t> pair_begins_;         // by image
  std::vector<Pair> pairs_;
  std::vector<uint64_t> noun_begins_;  // by image
  std::vector<uint32_t> nouns_;
  std::vector<Pair> distinct_;          // every pair that occurs, sorted
  std::vector<uint64_t> image_begins_;  // by place in distinct_
  std::vector<uint32_t> images_;
  std::vector<uint64_t> attribute_begins_;  // by attribute, in nouns_of_attributes_
  std::vector<uint32_t> nouns_of_attributes_;
};

}  // namespace snellen::builders::probe_c
