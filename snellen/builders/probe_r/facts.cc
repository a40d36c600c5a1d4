// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"

namespace snellen::builders::probe_r {
namespace {

constexpr uint64_t kImagesAtOnce = 512;
constexpr std::string_view kPrefix = "A photo of a ";

uint64_t hash_of(std::string_view s, std::string_view r, std::string_view o) {
  return fnv1a64(fmt::format("{}\x1f{}\x1f{}", s, r, o));
}

template <typename T>
bool contains(const std::vector<T>& sorted, T value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

// Some records of one file.
struct Facts::Part {
  struct Row {
    int64_t id = 0;
    Image image;
    std::vector<std::pair<uint64_t, uint64_t>> roles;  // subject and predicate of each triple
  };
  std::vector<Row> rows;
};

Facts::Facts(const VisualGenome& sources, const builders::Workers& workers) {
  if (!sources.object_aliases.empty())
    object_aliases_ = annotations::NameAliases(sources.object_aliases);
  if (!sources.relationship_aliases.empty())
    relationship_aliases_ = annotations::NameAliases(sources.relationship_aliases);
  annotations::VgRelationshipsFile relationships(sources.relationships);
  annotations::VgObjectsFile objects(sources.objects);
  auto parts_of = [](uint64_t count) { return (count + kImagesAtOnce - 1) / kImagesAtOnce; };
  uint64_t first_of_objects = parts_of(relationships.elements().size());
  uint64_t num_parts = first_of_objects + parts_of(objects.elements().size());
  uint64_t num_taken = 0;
  std::unordered_map<int64_t, uint64_t> file_of;  // 1 relationships, 2 objects, 3 both
  auto take = [&](Part&& part) {
    uint64_t file = num_taken < first_of_objects ? 1 : 2;
    for (Part::Row& row : part.rows) {
      // The second record of an image in one file does not count.
      if ((file_of[row.id] & file) != 0) continue;
      file_of[row.id] |= file;
      Image& image = images_[row.id];
      image.has_relationships = image.has_relationships || row.image.has_relationships;
      image.names.insert(image.names.end(), row.image.names.begin(), row.image.names.end());
      seen_.insert(seen_.end(), row.image.triples.begin(), row.image.triples.end());
      if (file == 1) image.triples = std::move(row.image.triples);
      for (const auto& [subject, predicate] : row.roles) {
        ++subjects_[subject];
        ++predicate_counts_[predicate];
      }
    }
    workers.tell("reading Visual Genome", ++num_taken, num_parts);
  };
  auto read = [&](uint64_t number) { return read_part(relationships, objects, number); };
  ordered_pipeline<Part>(num_parts, workers.num_threads, read, take, [] { return false; });
  sort_unique(seen_);
  for (auto& [id, image] : images_) {
    sort_unique(image.names);
    for (uint64_t name : image.names) ++images_of_name_[name];
  }
}

Facts::Part Facts::read_part(const annotations::VgRelationshipsFile& relationships,
                             const annotations::VgObjectsFile& objects,
                             uint64_t part) const {
  Part found;
  uint64_t num_relationships = relationships.elements().size();
  uint64_t first_of_objects = (num_relationships + kImagesAtOnce - 1) / kImagesAtOnce;
  if (part >= first_of_objects) {
    uint64_t begin = (part - first_of_objects) * kImagesAtOnce;
    uint64_t end = std::min<uint64_t>(begin + kImagesAtOnce, objects.elements().size());
    for (uint64_t i = begin; i < end; ++i) {
      Result<annotations::VgObjects> image = objects.image(i);
      if (!image) continue;
      Part::Row row{.id = image->image_id, .image = {}, .roles = {}};
      for (const std::string& name : image->names) {
        std::string canonical = object_aliases_.canonical(name);
        if (!canonical.empty()) row.image.names.push_back(fnv1a64(canonical));
      }
      found.rows.push_back(std::move(row));
    }
    return found;
  }
  uint64_t end = std::min((part + 1) * kImagesAtOnce, num_relationships);
  for (uint64_t i = part * kImagesAtOnce; i < end; ++i) {
    Result<annotations::VgRelationships> image = relationships.image(i);
    if (!image) continue;
    Part::Row row{.id = image->image_id, .image = {}, .roles = {}};
    row.image.has_relationships = !image->relationships.empty();
    for (const annotations::VgRelationship& one : image->relationships) {
      std::string s = object_aliases_.canonical(one.subject);
      std::string o = object_aliases_.canonical(one.object);
      std::string r = relationship_aliases_.canonical(one.predicate);
      if (!s.empty()) row.image.names.push_back(fnv1a64(s));
      if (!o.empty()) row.image.names.push_back(fnv1a64(o));
      if (s.empty() || r.empty() || o.empty() || s == o) continue;
      uint64_t triple = hash_of(s, r, o);
      std::vector<uint64_t>& triples = row.image.triples;
      if (std::find(triples.begin(), triples.end(), triple) != triples.end()) continue;
      triples.push_back(triple);
      row.roles.emplace_back(fnv1a64(s), fnv1a64(r));
    }
    std::sort(row.image.triples.begin(), row.image.triples.end());
    found.rows.push_back(std::move(row));
  }
  return found;
}

bool Facts::has_relationships(int64_t image) const {
  auto found = images_.find(image);
  return found != images_.end() && found->second.has_relationships;
}

bool Facts::has_name(int64_t image, std::string_view name) const {
  auto found = images_.find(image);
  return found != images_.end() && contains(found->second.names, fnv1a64(name));
}

size_t Facts::num_shared(int64_t first, int64_t second, std::string_view except) const {
  auto left = images_.find(first);
  auto right = images_.find(second);
  if (left == images_.end() || right == images_.end()) return 0;
  std::vector<uint64_t> shared;
  std::set_intersection(left->second.names.begin(),
                        left->second.names.end(),
                        right->second.names.begin(),
                        right->second.names.end(),
                        std::back_inserter(shared));
  return shared.size() - (contains(shared, fnv1a64(except)) ? 1 : 0);
}

std::vector<TripleWords> Facts::triples_read(int64_t image, std::string_view prompt) const {
  std::vector<TripleWords> found;
  auto place = images_.find(image);
  bool is_prompt = prompt.starts_with(kPrefix) && prompt.ends_with('.');
  if (place == images_.end() || !is_prompt) return found;
  std::string_view body = prompt.substr(kPrefix.size(), prompt.size() - kPrefix.size() - 1);
  for (size_t i = body.find(' '); i != std::string_view::npos; i = body.find(' ', i + 1)) {
    for (size_t j = body.find(' ', i + 1); j != std::string_view::npos; j = body.find(' ', j + 1)) {
      std::string_view s = body.substr(0, i);
      std::string_view r = body.substr(i + 1, j - i - 1);
      std::string_view o = body.substr(j + 1);
      if (contains(place->second.triples, hash_of(s, r, o)))
        found.push_back({std::string(s), std::string(r), std::string(o)});
    }
  }
  return found;
}

bool Facts::is_seen(const TripleWords& triple) const {
  return contains(seen_, hash_of(triple.subject, triple.predicate, triple.object));
}

uint64_t Facts::images_of_subject(std::string_view name) const {
  uint64_t hash = fnv1a64(name);
  if (!subjects_.contains(hash)) return 0;
  auto found = images_of_name_.find(hash);
  return found == images_of_name_.end() ? 0 : found->second;
}

uint64_t Facts::count_of_predicate(std::string_view name) const {
  auto found = predicate_counts_.find(fnv1a64(name));
  return found == predicate_counts_.end() ? 0 : found->second;
}

}  // namespace snellen::builders::probe_r
