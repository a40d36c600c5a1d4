// SPDX-License-Identifier: Apache-2.0
// Probe-R groups from Visual Genome (docs/spec/probe.md 6.2, steps 3 and 4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/rng.h"
#include "snellen/builders/probe_r/corpus.h"

namespace snellen::builders::probe_r {

struct BuilderOptions {
  uint64_t seed = 0;
  size_t num_images = 10;            // positives, and negatives
  uint64_t min_object_images = 20;   // of a foil subject
  uint64_t min_predicate_count = 1;  // of a foil predicate
  int subject_attempts = 8;          // foil subjects tried for one triple
  // Leaves images kept for RelComp out of every role. What is known of the world (names, triples,
  // vocabularies) still comes from all images.
  bool reserves_relcomp = true;
};

// A true triple of an image with its foils, in words.
struct Relation {
  std::string subject;
  std::string predicate;
  std::string object;
  std::string foil_subject;
  std::string foil_predicate;

  std::string prompt() const;                 // R1
  std::string foil_subject_prompt() const;    // R3
  std::string foil_predicate_prompt() const;  // R2
};

struct BuiltGroup {
  int64_t image_id = 0;
  Relation relation;
  std::vector<int64_t> positives;
  std::vector<int64_t> negatives;
};

// The group's entry of relation_eval_subject.json as Python's json writes it: "id": {...}.
void append_json(std::string& out, const BuiltGroup& group);

// Const methods are safe from many threads, each with a Scratch of its own.
class Builder {
 public:
  // Lists that are drawn from again and again.
  struct Scratch {
    std::vector<uint32_t> pool;
    std::vector<uint8_t> is_shared;  // by name
  };

  Builder(const Corpus& corpus, const BuilderOptions& options);

  // Whether the image may be an anchor: it has relationships and is not kept for RelComp.
  bool is_candidate(uint32_t image) const;
  // The image's group; nothing when none of its triples works.
  std::optional<BuiltGroup> group(uint32_t image, Scratch& scratch) const;
  // A relation with foils and without image lists, as RelComp has it.
  std::optional<Relation> relation(uint32_t image) const;

 private:
  bool is_usable(uint32_t image) const { return is_usable_[image] != 0; }
  std::span<const uint32_t> usable_with(uint32_t name) const;
  std::vector<Triple> shuffled_triples(uint32_t image, Rng& stream) const;
  std::optional<uint32_t> pick_predicate(const Triple& triple, Rng& stream) const;
  std::optional<uint32_t> pick_subject(uint32_t image, const Triple& triple, Rng& stream) const;
  std::optional<std::vector<uint32_t>> positives(uint32_t image,
                                                 const Triple& triple,
                                                 Rng& stream,
                                                 Scratch& scratch) const;
  std::optional<BuiltGroup> group_of(uint32_t image,
                                     const Triple& triple,
                                     Rng& stream,
                                     Scratch& scratch) const;
  Relation in_words(const Triple& triple, uint32_t foil_subject, uint32_t foil_predicate) const;

  const Corpus& corpus_;
  BuilderOptions options_;
  std::vector<uint32_t> subjects_;    // S, by bytes
  std::vector<uint32_t> predicates_;  // R, by bytes
  std::vector<uint8_t> is_usable_;    // by image
  // inv[name] without images that may not be used.
  std::vector<uint64_t> usable_begins_;
  std::vector<uint32_t> usable_images_;
};

}  // namespace snellen::builders::probe_r
