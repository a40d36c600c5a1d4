// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/stretch.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace snellen::builders::probe_r {
namespace {

// Texts of one stretch of a file, numbered within it; each distinct spelling is normalised once.
class Spellings {
 public:
  explicit Spellings(const annotations::NameAliases& aliases) : aliases_(aliases) {}

  uint32_t number_of(const std::string& spelling) {
    auto [place, is_new] = numbers_.try_emplace(spelling, 0);
    if (is_new) place->second = table_.add(aliases_.canonical(spelling));
    return place->second;
  }
  const text::StringPool& table() const { return table_; }
  text::StringPool take_table() { return std::move(table_); }

 private:
  const annotations::NameAliases& aliases_;
  std::unordered_map<std::string, uint32_t> numbers_;
  text::StringPool table_;
};

void sort_unique(std::vector<uint32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Keeps the first of equal triples; images have few enough to look through.
void add_once(std::vector<Triple>& triples, const Triple& triple) {
  if (std::find(triples.begin(), triples.end(), triple) == triples.end()) triples.push_back(triple);
}

}  // namespace

Stretch read_relationships(const annotations::VgRelationshipsFile& file,
                           const CorpusAliases& aliases,
                           uint64_t begin,
                           uint64_t end) {
  Stretch stretch;
  Spellings names(aliases.objects);
  Spellings predicates(aliases.relationships);
  for (uint64_t i = begin; i < end; ++i) {
    Result<annotations::VgRelationships> image = file.image(i);
    if (!image) {
      stretch.bad.push_back(image.error());
      continue;
    }
    ImageRows rows{.id = image->image_id,
                   .has_relationships = !image->relationships.empty(),
                   .names = {},
                   .triples = {}};
    for (const annotations::VgRelationship& one : image->relationships) {
      Triple triple{.subject = names.number_of(one.subject),
                    .predicate = predicates.number_of(one.predicate),
                    .object = names.number_of(one.object)};
      bool has_subject = !names.table()[triple.subject].empty();
      bool has_object = !names.table()[triple.object].empty();
      if (has_subject) rows.names.push_back(triple.subject);
      if (has_object) rows.names.push_back(triple.object);
      bool is_valid = has_subject && has_object && triple.subject != triple.object &&
                      !predicates.table()[triple.predicate].empty();
      if (is_valid) add_once(rows.triples, triple);
    }
    sort_unique(rows.names);
    stretch.images.push_back(std::move(rows));
  }
  stretch.names = names.take_table();
  stretch.predicates = predicates.take_table();
  return stretch;
}

Stretch read_objects(const annotations::VgObjectsFile& file,
                     const CorpusAliases& aliases,
                     uint64_t begin,
                     uint64_t end) {
  Stretch stretch;
  Spellings names(aliases.objects);
  for (uint64_t i = begin; i < end; ++i) {
    Result<annotations::VgObjects> image = file.image(i);
    if (!image) {
      stretch.bad.push_back(image.error());
      continue;
    }
    ImageRows rows{.id = image->image_id, .has_relationships = false, .names = {}, .triples = {}};
    for (const std::string& name : image->names) {
      uint32_t number = names.number_of(name);
      if (!names.table()[number].empty()) rows.names.push_back(number);
    }
    sort_unique(rows.names);
    stretch.images.push_back(std::move(rows));
  }
  stretch.names = names.take_table();
  return stretch;
}

}  // namespace snellen::builders::probe_r
