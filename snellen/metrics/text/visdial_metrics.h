// SPDX-License-Identifier: Apache-2.0
// Generated answers against reference sets (A Revised Generative Evaluation of Visual Dialogue,
// arXiv 2004.09272).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/text/cider.h"
#include "snellen/text/string_pool.h"
#include "snellen/text/vectors/word_vectors.h"
#include "snellen/text/words/treebank.h"

namespace snellen::metrics {

// Where the numbers come from; what is absent is switched off and has no column. All must outlive
// the metrics.
struct VisdialSources {
  const CiderCorpus* cider = nullptr;
  // Best score of a prepared, non-empty generation against the references of a set. Called from
  // many threads.
  std::function<double(std::string_view generation, size_t set)> meteor;
  const text::SentenceEncoder* bert = nullptr;
  const text::SentenceEncoder* fasttext = nullptr;
};

struct VisdialSettings {
  text::Preprocess preprocess = text::Preprocess::kNltk34;
  bool is_compat = false;  // no *_best columns; what the published program dies of is an error
  bool is_strict = false;  // an entry without a non-empty generation is an error
};

// One entry: NaN where a column is undefined.
struct VisdialEntry {
  std::vector<double> values;
  size_t num_empty = 0;           // generations that are empty after preparation; not scored
  size_t num_absent_words = 0;    // words without a vector, taken as zeros
  bool is_skipped = false;        // no generation left: out of every mean
  bool lacks_references = false;  // only blank references: out of the embedding means
};

// Columns in the published order: cider_1 .. cider_n, meteor, bert_l2, bert_cs, fasttext_l2,
// fasttext_cs; then, unless compat, bert_l2_best, bert_cs_best, fasttext_l2_best, fasttext_cs_best:
// the nearest (most similar) reference instead of the mean over references. An entry's value is the
// mean over its non-empty generations. Const methods are safe from many threads.
class VisdialMetrics {
 public:
  // `references` must outlive this, and be the sets that sources.cider was built from.
  VisdialMetrics(const text::StringSets& references,
                 VisdialSources sources,
                 VisdialSettings settings);

  const std::vector<std::string>& columns() const { return columns_; }
  // Generations as they are in the file. Throws kInvalidInput, without naming the entry, for what
  // strict or compat refuse.
  VisdialEntry evaluate(size_t set, std::span<const std::string> generations) const;
  // Throw as evaluate() does, and compute nothing.
  void check_generations(std::span<const std::string> generations) const;
  void check_references(size_t set) const;

 private:
  struct Sums;
  struct Encoded;

  void refuse_empty(size_t num_generations) const;
  std::vector<std::string> prepare(std::span<const std::string> generations) const;
  Encoded encode_references(const text::SentenceEncoder& encoder, size_t set) const;
  void add_overlap(size_t set,
                   const std::vector<std::string>& generations,
                   std::span<double> sums) const;
  bool add_distances(const text::SentenceEncoder& encoder,
                     size_t set,
                     const std::vector<std::string>& generations,
                     Sums& sums) const;

  const text::StringSets& references_;
  VisdialSources sources_;
  VisdialSettings settings_;
  std::vector<std::string> columns_;
};

// Mean and population standard deviation over the entries where a column is defined; NaN when there
// is none.
struct ColumnSummary {
  std::string name;
  double mean = 0;
  double std = 0;
  size_t n = 0;
};

struct VisdialSummary {
  size_t num_pairs = 0;
  size_t num_empty = 0;
  size_t num_skipped = 0;
  size_t num_without_references = 0;
  size_t num_absent_words = 0;
  std::vector<ColumnSummary> columns;
};

// Entries in the order of their keys, so that sums do not depend on who computed them.
VisdialSummary summarize(const std::vector<std::string>& columns,
                         std::span<const VisdialEntry> entries);

// What the published program prints: the pair count, a rule, the names, a rule, the values with
// four decimals, a rule.
std::vector<std::string> compat_lines(const VisdialSummary& summary);

}  // namespace snellen::metrics
