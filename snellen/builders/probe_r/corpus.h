// SPDX-License-Identifier: Apache-2.0
// All of Visual Genome that Probe-R needs, as numbers (docs/spec/probe.md 6.2, steps 1 and 2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snellen/annotations/visual_genome/visual_genome.h"
#include "snellen/builders/building.h"
#include "snellen/builders/probe_r/stretch.h"
#include "snellen/text/string_pool.h"

namespace snellen::builders::probe_r {

// Images are numbered by ascending id. Names and predicates are numbers of their own tables. Const
// methods are safe from many threads. Memory: some 4 bytes an (image, name) pair and 24 a triple.
class Corpus {
 public:
  // Bad records, and the second of two records of one image, are left out and told to `bad`.
  Corpus(const annotations::VgRelationshipsFile& relationships,
         const annotations::VgObjectsFile& objects,
         const CorpusAliases& aliases,
         const builders::Workers& workers,
         builders::BadRecords& bad);

  size_t num_images() const { return ids_.size(); }
  int64_t id(uint32_t image) const { return ids_[image]; }
  // O[i]: every name in the image, commonest in the corpus first, so that a search for shared names
  // ends early.
  std::span<const uint32_t> names_in(uint32_t image) const { return names_.row(image); }
  bool has_name(uint32_t image, uint32_t name) const;
  // The valid triples of an image: unique, in file order.
  std::span<const Triple> triples_of(uint32_t image) const { return triples_.row(image); }
  // Whether the relationships file has any relationship, valid or not, of the image.
  bool has_relationships(uint32_t image) const { return has_relationships_[image] != 0; }
  // inv[name]: images with the name, ascending.
  std::span<const uint32_t> images_with(uint32_t name) const { return images_.row(name); }
  // Whether the triple is seen anywhere.
  bool is_known(const Triple& triple) const;

  const text::StringPool& names() const { return name_table_; }
  const text::StringPool& predicates() const { return predicate_table_; }

 private:
  // Rows of different lengths in one array.
  template <typename T>
  struct Rows {
    std::vector<uint64_t> begins = {0};
    std::vector<T> values;

    void end_row() { begins.push_back(values.size()); }
    std::span<const T> row(uint32_t index) const {
      return {values.data() + begins[index], values.data() + begins[index + 1]};
    }
  };
  struct Draft;

  void join(const Draft& relationships, const Draft& objects);
  void index_names();

  text::StringPool name_table_;
  text::StringPool predicate_table_;
  std::vector<int64_t> ids_;
  Rows<uint32_t> names_;
  Rows<Triple> triples_;
  Rows<uint32_t> images_;
  std::vector<uint8_t> has_relationships_;
  std::vector<Triple> known_;  // sorted, unique
};

}  // namespace snellen::builders::probe_r
