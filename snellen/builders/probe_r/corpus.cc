// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/corpus.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"

namespace snellen::builders::probe_r {
namespace {

constexpr uint64_t kImagesAtOnce = 256;

// The number in the corpus of each text of a stretch.
std::vector<uint32_t> renumbered(const text::StringPool& local, text::StringPool& whole) {
  std::vector<uint32_t> numbers;
  numbers.reserve(local.size());
  for (uint32_t i = 0; i < local.size(); ++i) numbers.push_back(whole.add(local[i]));
  return numbers;
}

}  // namespace

// One file's images, in numbers of the corpus.
struct Corpus::Draft {
  struct Image {
    int64_t id;
    uint32_t row;
    bool has_relationships;
  };
  std::vector<Image> images;
  Rows<uint32_t> names;
  Rows<Triple> triples;

  void add(const Stretch& stretch, text::StringPool& name_table, text::StringPool& predicates) {
    std::vector<uint32_t> name_of = renumbered(stretch.names, name_table);
    std::vector<uint32_t> predicate_of = renumbered(stretch.predicates, predicates);
    for (const ImageRows& rows : stretch.images) {
      images.push_back({.id = rows.id,
                        .row = static_cast<uint32_t>(images.size()),
                        .has_relationships = rows.has_relationships});
      for (uint32_t name : rows.names) names.values.push_back(name_of[name]);
      for (const Triple& triple : rows.triples) {
        triples.values.push_back({.subject = name_of[triple.subject],
                                  .predicate = predicate_of[triple.predicate],
                                  .object = name_of[triple.object]});
      }
      names.end_row();
      triples.end_row();
    }
  }

  // By id; the second of two records of one image is left out.
  void sort(const std::filesystem::path& path, builders::BadRecords& bad) {
    std::stable_sort(
        images.begin(), images.end(), [](const Image& a, const Image& b) { return a.id < b.id; });
    auto is_twin = [&](const Image& a, const Image& b) {
      if (a.id != b.id) return false;
      bad.add(Error{ErrorCode::kInvalidInput,
                    fmt::format("image id {} occurs twice; the first is used", b.id),
                    path.string(),
                    "fix the record"});
      return true;
    };
    images.erase(std::unique(images.begin(), images.end(), is_twin), images.end());
  }
};

Corpus::Corpus(const annotations::VgRelationshipsFile& relationships,
               const annotations::VgObjectsFile& objects,
               const CorpusAliases& aliases,
               const builders::Workers& workers,
               builders::BadRecords& bad) {
  // One list of stretches over both files keeps all threads busy to the end.
  uint64_t num_relationships = relationships.elements().size();
  uint64_t num_objects = objects.elements().size();
  auto stretches = [](uint64_t count) { return (count + kImagesAtOnce - 1) / kImagesAtOnce; };
  uint64_t first_of_objects = stretches(num_relationships);
  uint64_t num_stretches = first_of_objects + stretches(num_objects);
  auto read = [&](uint64_t i) {
    if (i < first_of_objects) {
      uint64_t begin = i * kImagesAtOnce;
      return read_relationships(
          relationships, aliases, begin, std::min(begin + kImagesAtOnce, num_relationships));
    }
    uint64_t begin = (i - first_of_objects) * kImagesAtOnce;
    return read_objects(objects, aliases, begin, std::min(begin + kImagesAtOnce, num_objects));
  };
  Draft from_relationships;
  Draft from_objects;
  uint64_t num_taken = 0;
  auto take = [&](Stretch&& stretch) {
    Draft& draft = num_taken < first_of_objects ? from_relationships : from_objects;
    draft.add(stretch, name_table_, predicate_table_);
    bad.add(stretch.bad);
    workers.tell("reading Visual Genome", ++num_taken, num_stretches);
  };
  ordered_pipeline<Stretch>(num_stretches, workers.num_threads, read, take, [] { return false; });
  from_relationships.sort(relationships.elements().path(), bad);
  from_objects.sort(objects.elements().path(), bad);
  join(from_relationships, from_objects);
  index_names();
}

// Image by image what both files say.
void Corpus::join(const Draft& relationships, const Draft& objects) {
  size_t i = 0;
  size_t j = 0;
  std::vector<uint32_t> names;
  while (i < relationships.images.size() || j < objects.images.size()) {
    bool has_left = i < relationships.images.size();
    bool has_right = j < objects.images.size();
    int64_t id = !has_right || (has_left && relationships.images[i].id < objects.images[j].id)
                     ? relationships.images[i].id
                     : objects.images[j].id;
    names.clear();
    ids_.push_back(id);
    has_relationships_.push_back(0);
    if (has_left && relationships.images[i].id == id) {
      const Draft::Image& image = relationships.images[i++];
      std::span<const uint32_t> row = relationships.names.row(image.row);
      names.assign(row.begin(), row.end());
      std::span<const Triple> triples = relationships.triples.row(image.row);
      triples_.values.insert(triples_.values.end(), triples.begin(), triples.end());
      has_relationships_.back() = image.has_relationships ? 1 : 0;
    }
    if (has_right && objects.images[j].id == id) {
      std::span<const uint32_t> row = objects.names.row(objects.images[j++].row);
      names.insert(names.end(), row.begin(), row.end());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    names_.values.insert(names_.values.end(), names.begin(), names.end());
    names_.end_row();
    triples_.end_row();
  }
  known_ = triples_.values;
  std::sort(known_.begin(), known_.end());
  known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
}

// The images of each name, and each image's names with the commonest first.
void Corpus::index_names() {
  std::vector<uint64_t>& begins = images_.begins;
  begins.assign(name_table_.size() + 1, 0);
  for (uint32_t name : names_.values) ++begins[name + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  images_.values.resize(names_.values.size());
  std::vector<uint64_t> next(begins.begin(), begins.end() - 1);
  for (uint32_t image = 0; image < ids_.size(); ++image) {
    for (uint32_t name : names_in(image)) images_.values[next[name]++] = image;
  }
  auto is_commoner = [&](uint32_t a, uint32_t b) {
    size_t of_a = images_with(a).size();
    size_t of_b = images_with(b).size();
    return of_a != of_b ? of_a > of_b : a < b;
  };
  for (uint32_t image = 0; image < ids_.size(); ++image) {
    auto begin = names_.values.begin() + static_cast<ptrdiff_t>(names_.begins[image]);
    auto end = names_.values.begin() + static_cast<ptrdiff_t>(names_.begins[image + 1]);
    std::sort(begin, end, is_commoner);
  }
}

bool Corpus::has_name(uint32_t image, uint32_t name) const {
  std::span<const uint32_t> names = names_in(image);
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool Corpus::is_known(const Triple& triple) const {
  return std::binary_search(known_.begin(), known_.end(), triple);
}

}  // namespace snellen::builders::probe_r
