// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_r/builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/json_object.h"
#include "snellen/builders/relcomp_rule.h"

namespace snellen::builders::probe_r {
namespace {

std::string prompt_of(const std::string& s, const std::string& r, const std::string& o) {
  return fmt::format("A photo of a {} {} {}.", s, r, o);
}

// S: subjects of valid triples that are in enough images. R: predicates seen often enough.
struct Vocabularies {
  std::vector<uint32_t> subjects;
  std::vector<uint32_t> predicates;
};

Vocabularies vocabularies_of(const Corpus& corpus, const BuilderOptions& options) {
  std::vector<uint8_t> is_subject(corpus.names().size());
  std::vector<uint64_t> count(corpus.predicates().size());
  for (uint32_t image = 0; image < corpus.num_images(); ++image) {
    for (const Triple& triple : corpus.triples_of(image)) {
      is_subject[triple.subject] = 1;
      ++count[triple.predicate];
    }
  }
  Vocabularies found;
  for (uint32_t name : corpus.names().sorted()) {
    if (is_subject[name] != 0 && corpus.images_with(name).size() >= options.min_object_images)
      found.subjects.push_back(name);
  }
  for (uint32_t predicate : corpus.predicates().sorted()) {
    if (count[predicate] > 0 && count[predicate] >= options.min_predicate_count)
      found.predicates.push_back(predicate);
  }
  return found;
}

}  // namespace

std::string Relation::prompt() const {
  return prompt_of(subject, predicate, object);
}

std::string Relation::foil_subject_prompt() const {
  return prompt_of(foil_subject, predicate, object);
}

std::string Relation::foil_predicate_prompt() const {
  return prompt_of(subject, foil_predicate, object);
}

void append_json(std::string& out, const BuiltGroup& group) {
  const Relation& relation = group.relation;
  fmt::format_to(std::back_inserter(out), "\"{}\": ", group.image_id);
  out += python_object({{"positive_image_ids", group.positives},
                        {"negative_image_ids", group.negatives},
                        {"positive_prompt", relation.prompt()},
                        {"negative_prompt", relation.foil_subject_prompt()},
                        {"negative_object", relation.foil_subject},
                        {"positive_object", relation.subject},
                        {"negative_predicate_prompt", relation.foil_predicate_prompt()}})
             .text;
}

Builder::Builder(const Corpus& corpus, const BuilderOptions& options)
    : corpus_(corpus), options_(options), is_usable_(corpus.num_images(), 1) {
  Vocabularies vocabularies = vocabularies_of(corpus, options);
  subjects_ = std::move(vocabularies.subjects);
  predicates_ = std::move(vocabularies.predicates);
  if (options.reserves_relcomp) {
    for (uint32_t image = 0; image < corpus.num_images(); ++image)
      is_usable_[image] = builders::is_reserved_for_relcomp(corpus.id(image)) ? 0 : 1;
  }
  usable_begins_.push_back(0);
  for (uint32_t name = 0; name < corpus.names().size(); ++name) {
    for (uint32_t image : corpus.images_with(name)) {
      if (is_usable(image)) usable_images_.push_back(image);
    }
    usable_begins_.push_back(usable_images_.size());
  }
}

std::span<const uint32_t> Builder::usable_with(uint32_t name) const {
  return {usable_images_.data() + usable_begins_[name],
          usable_images_.data() + usable_begins_[name + 1]};
}

bool Builder::is_candidate(uint32_t image) const {
  return corpus_.has_relationships(image) && is_usable(image);
}

std::vector<Triple> Builder::shuffled_triples(uint32_t image, Rng& stream) const {
  std::span<const Triple> found = corpus_.triples_of(image);
  std::vector<Triple> triples(found.begin(), found.end());
  stream.shuffle<Triple>(triples);
  return triples;
}

std::optional<uint32_t> Builder::pick_predicate(const Triple& triple, Rng& stream) const {
  return stream.pick<uint32_t>(predicates_, [&](uint32_t predicate) {
    return !corpus_.is_known(
        {.subject = triple.subject, .predicate = predicate, .object = triple.object});
  });
}

std::optional<uint32_t> Builder::pick_subject(uint32_t image,
                                              const Triple& triple,
                                              Rng& stream) const {
  return stream.pick<uint32_t>(subjects_, [&](uint32_t subject) {
    bool is_known = corpus_.is_known(
        {.subject = subject, .predicate = triple.predicate, .object = triple.object});
    return !is_known && !corpus_.has_name(image, subject);
  });
}

std::optional<std::vector<uint32_t>> Builder::positives(uint32_t image,
                                                        const Triple& triple,
                                                        Rng& stream,
                                                        Scratch& scratch) const {
  // The marks are taken back below, so that a scratch costs its image's names, not all names.
  scratch.is_shared.resize(corpus_.names().size());
  std::span<const uint32_t> names = corpus_.names_in(image);
  for (uint32_t name : names) scratch.is_shared[name] = 1;
  scratch.is_shared[triple.subject] = 0;
  auto found = stream.sample_filtered<uint32_t>(
      usable_with(triple.subject),
      options_.num_images,
      [&](uint32_t other) {
        if (other == image) return false;
        for (uint32_t name : corpus_.names_in(other)) {
          if (scratch.is_shared[name] != 0) return false;
        }
        return true;
      },
      scratch.pool);
  for (uint32_t name : names) scratch.is_shared[name] = 0;
  return found;
}

std::optional<BuiltGroup> Builder::group_of(uint32_t image,
                                            const Triple& triple,
                                            Rng& stream,
                                            Scratch& scratch) const {
  auto positives_found = positives(image, triple, stream, scratch);
  if (!positives_found) return std::nullopt;
  std::optional<uint32_t> foil_predicate = pick_predicate(triple, stream);
  if (!foil_predicate) return std::nullopt;
  for (int attempt = 0; attempt < options_.subject_attempts; ++attempt) {
    std::optional<uint32_t> foil_subject = pick_subject(image, triple, stream);
    if (!foil_subject) return std::nullopt;
    auto negatives = stream.sample_filtered<uint32_t>(
        usable_with(*foil_subject),
        options_.num_images,
        [&](uint32_t other) { return other != image && !corpus_.has_name(other, triple.subject); },
        scratch.pool);
    if (!negatives) continue;
    BuiltGroup group{.image_id = corpus_.id(image),
                     .relation = in_words(triple, *foil_subject, *foil_predicate),
                     .positives = {},
                     .negatives = {}};
    for (uint32_t other : *positives_found) group.positives.push_back(corpus_.id(other));
    for (uint32_t other : *negatives) group.negatives.push_back(corpus_.id(other));
    return group;
  }
  return std::nullopt;
}

std::optional<BuiltGroup> Builder::group(uint32_t image, Scratch& scratch) const {
  Rng stream(fmt::format("{}|probe-r|{}", options_.seed, corpus_.id(image)));
  for (const Triple& triple : shuffled_triples(image, stream)) {
    if (auto group = group_of(image, triple, stream, scratch)) return group;
  }
  return std::nullopt;
}

std::optional<Relation> Builder::relation(uint32_t image) const {
  Rng stream(fmt::format("{}|probe-r|{}", options_.seed, corpus_.id(image)));
  for (const Triple& triple : shuffled_triples(image, stream)) {
    std::optional<uint32_t> foil_predicate = pick_predicate(triple, stream);
    if (!foil_predicate) continue;
    if (auto foil_subject = pick_subject(image, triple, stream))
      return in_words(triple, *foil_subject, *foil_predicate);
  }
  return std::nullopt;
}

Relation Builder::in_words(const Triple& triple,
                           uint32_t foil_subject,
                           uint32_t foil_predicate) const {
  return {.subject = std::string(corpus_.names()[triple.subject]),
          .predicate = std::string(corpus_.predicates()[triple.predicate]),
          .object = std::string(corpus_.names()[triple.object]),
          .foil_subject = std::string(corpus_.names()[foil_subject]),
          .foil_predicate = std::string(corpus_.predicates()[foil_predicate])};
}

}  // namespace snellen::builders::probe_r
