// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/visdial_metrics.h"

#include <array>
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/metrics/text/embedding_distance.h"
#include "snellen/text/characters.h"

namespace snellen::metrics {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// Sums over generations: the first two are the published columns, the others the *_best ones.
struct VisdialMetrics::Sums {
  double l2 = 0;
  double cs = 0;
  double l2_best = 0;
  double cs_best = 0;
  size_t num_absent_words = 0;
};

struct VisdialMetrics::Encoded {
  std::vector<double> vectors;
  size_t num_absent_words = 0;
};

VisdialMetrics::VisdialMetrics(const text::StringSets& references,
                               VisdialSources sources,
                               VisdialSettings settings)
    : references_(references), sources_(std::move(sources)), settings_(settings) {
  if (sources_.cider != nullptr) {
    SNELLEN_CHECK(sources_.cider->num_sets() == references.size());
    for (size_t n = 1; n <= sources_.cider->options().n; ++n)
      columns_.push_back(fmt::format("cider_{}", n));
  }
  if (sources_.meteor) columns_.push_back("meteor");
  for (std::string suffix : {"", "_best"}) {
    if (settings_.is_compat && !suffix.empty()) break;
    for (auto [name, encoder] :
         {std::pair{"bert", sources_.bert}, std::pair{"fasttext", sources_.fasttext}}) {
      if (encoder == nullptr) continue;
      columns_.push_back(fmt::format("{}_l2{}", name, suffix));
      columns_.push_back(fmt::format("{}_cs{}", name, suffix));
    }
  }
}

std::vector<std::string> VisdialMetrics::prepare(std::span<const std::string> generations) const {
  std::vector<std::string> prepared;
  for (const std::string& generation : generations) {
    std::string text = text::prepare_generation(generation, settings_.preprocess);
    if (!text.empty()) prepared.push_back(std::move(text));
  }
  return prepared;
}

void VisdialMetrics::refuse_empty(size_t num_generations) const {
  if (!settings_.is_strict && !settings_.is_compat) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("all {} generations are empty", num_generations),
              {},
              settings_.is_compat ? "run without --compat to skip and count such entries"
                                  : "run without --strict to skip and count such entries"};
}

void VisdialMetrics::check_generations(std::span<const std::string> generations) const {
  if (prepare(generations).empty()) refuse_empty(generations.size());
}

void VisdialMetrics::check_references(size_t set) const {
  if (!settings_.is_compat || (sources_.bert == nullptr && sources_.fasttext == nullptr)) return;
  for (uint32_t id : references_.ids(set)) {
    if (!text::is_blank(references_.pool()[id])) continue;
    throw Error{ErrorCode::kInvalidInput,
                "a reference is blank, which the published embedding metrics cannot score",
                {},
                "switch the embedding metrics off, or run without --compat to leave blank "
                "references out"};
  }
}

void VisdialMetrics::add_overlap(size_t set,
                                 const std::vector<std::string>& generations,
                                 std::span<double> sums) const {
  size_t num_cider = sources_.cider == nullptr ? 0 : sources_.cider->options().n;
  std::vector<double> scores(num_cider);
  for (const std::string& generation : generations) {
    if (num_cider > 0) sources_.cider->score(generation, set, scores);
    for (size_t k = 0; k < num_cider; ++k) sums[k] += scores[k];
    if (sources_.meteor) sums[num_cider] += sources_.meteor(generation, set);
  }
}

VisdialMetrics::Encoded VisdialMetrics::encode_references(const text::SentenceEncoder& encoder,
                                                          size_t set) const {
  check_references(set);
  Encoded encoded;
  for (uint32_t id : references_.ids(set)) {
    std::string_view reference = references_.pool()[id];
    if (text::is_blank(reference)) continue;
    encoded.vectors.resize(encoded.vectors.size() + encoder.dim());
    encoded.num_absent_words +=
        encoder.encode(reference, std::span(encoded.vectors).last(encoder.dim()));
  }
  return encoded;
}

// False when there is no reference to compare with.
bool VisdialMetrics::add_distances(const text::SentenceEncoder& encoder,
                                   size_t set,
                                   const std::vector<std::string>& generations,
                                   Sums& sums) const {
  Encoded references = encode_references(encoder, set);
  if (references.vectors.empty()) return false;
  sums.num_absent_words += references.num_absent_words;
  std::vector<double> vector(encoder.dim());
  for (const std::string& generation : generations) {
    sums.num_absent_words += encoder.encode(generation, vector);
    EmbeddingDistance distance = embedding_distance(vector, references.vectors);
    sums.l2 += distance.l2;
    sums.cs += distance.cs;
    sums.l2_best += distance.l2_best;
    sums.cs_best += distance.cs_best;
  }
  return true;
}

VisdialEntry VisdialMetrics::evaluate(size_t set, std::span<const std::string> generations) const {
  VisdialEntry entry;
  std::vector<std::string> prepared = prepare(generations);
  entry.num_empty = generations.size() - prepared.size();
  if (prepared.empty()) {
    refuse_empty(generations.size());
    entry.is_skipped = true;
    entry.values.assign(columns_.size(), kUndefined);
    return entry;
  }
  entry.values.assign(columns_.size(), 0);
  add_overlap(set, prepared, entry.values);
  size_t at =
      (sources_.cider == nullptr ? 0 : sources_.cider->options().n) + (sources_.meteor ? 1 : 0);
  size_t num_encoders =
      (sources_.bert != nullptr ? 1u : 0u) + (sources_.fasttext != nullptr ? 1u : 0u);
  for (const text::SentenceEncoder* encoder : {sources_.bert, sources_.fasttext}) {
    if (encoder == nullptr) continue;
    Sums sums;
    if (!add_distances(*encoder, set, prepared, sums)) {
      entry.lacks_references = true;
      sums = {.l2 = kUndefined,
              .cs = kUndefined,
              .l2_best = kUndefined,
              .cs_best = kUndefined,
              .num_absent_words = 0};
    }
    entry.num_absent_words += sums.num_absent_words;
    entry.values[at] = sums.l2;
    entry.values[at + 1] = sums.cs;
    if (!settings_.is_compat) {
      entry.values[at + 2 * num_encoders] = sums.l2_best;
      entry.values[at + 2 * num_encoders + 1] = sums.cs_best;
    }
    at += 2;
  }
  for (double& value : entry.values) value /= static_cast<double>(prepared.size());
  return entry;
}

}  // namespace snellen::metrics
