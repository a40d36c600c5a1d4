// SPDX-License-Identifier: Apache-2.0
// Visual Genome as a checker sees it: no numbering, no drawing, only what is in which image. It
// shares the file readers with the builder and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "snellen/annotations/visual_genome/name_aliases.h"
#include "snellen/builders/building.h"
#include "snellen/builders/probe_r/build.h"

namespace snellen::builders::probe_r {

struct TripleWords {
  std::string subject;
  std::string predicate;
  std::string object;
};

// Names and triples are kept as 64-bit hashes; two of Visual Genome's meet with a chance below one
// in a million. Const methods are safe from many threads.
class Facts {
 public:
  Facts(const VisualGenome& sources, const builders::Workers& workers);

  bool has_image(int64_t image) const { return images_.contains(image); }
  bool has_relationships(int64_t image) const;
  bool has_name(int64_t image, std::string_view name) const;
  // A name of the second image, other than `except`, that the first has too: by number of names.
  size_t num_shared(int64_t first, int64_t second, std::string_view except) const;
  // Every way to read "A photo of a {s} {r} {o}." as a triple of the image.
  std::vector<TripleWords> triples_read(int64_t image, std::string_view prompt) const;
  // Whether the triple is in any image.
  bool is_seen(const TripleWords& triple) const;
  // How many images hold the name, if it is the subject of a triple, else 0.
  uint64_t images_of_subject(std::string_view name) const;
  // How often the predicate occurs in triples.
  uint64_t count_of_predicate(std::string_view name) const;

 private:
  struct Image {
    std::vector<uint64_t> names;    // sorted
    std::vector<uint64_t> triples;  // sorted
    bool has_relationships = false;
  };
  struct Part;
  Part read_part(const annotations::VgRelationshipsFile& relationships,
                 const annotations::VgObjectsFile& objects,
                 uint64_t part) const;

  annotations::NameAliases object_aliases_;
  annotations::NameAliases relationship_aliases_;
  std::unordered_map<int64_t, Image> images_;
  std::vector<uint64_t> seen_;  // sorted
  std::unordered_map<uint64_t, uint64_t> images_of_name_;
  std::unordered_map<uint64_t, uint64_t> predicate_counts_;
  std::unordered_map<uint64_t, uint64_t> subjects_;
};

}  // namespace snellen::builders::probe_r
