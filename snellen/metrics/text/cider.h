// SPDX-License-Identifier: Apache-2.0
// CIDEr (Vedantam et al. 2015): tf-idf weighted n-gram agreement of a generated text with a set of
// references. The plain form is what the VisDial evaluation reports; variant d (CIDEr-D: clipped
// counts, Gaussian length penalty, x10) is what captioning toolkits call CIDEr. Tokens are split on
// white space, nothing else is touched.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "snellen/metrics/text/ngram_counts.h"
#include "snellen/text/string_pool.h"

namespace snellen::metrics {

enum class CiderVariant { kPlain, kD };

struct CiderOptions {
  size_t n = 4;  // longest n-gram, 1..64
  CiderVariant variant = CiderVariant::kPlain;
  double sigma = 6.0;  // of the length penalty of variant d
};

// The references of a whole evaluation. Document frequencies are counted over sets, so every score
// depends on which sets are in the corpus, and with a single set every score is 0. Const methods
// are safe from many threads; results do not depend on `parts`.
class CiderCorpus {
 public:
  // Throws kUsage for an n out of range. `sets` must outlive the corpus.
  CiderCorpus(const text::StringSets& sets, const CiderOptions& options, const Parts& parts = {});

  const CiderOptions& options() const { return options_; }
  size_t num_sets() const { return sets_.size(); }
  // scores[k - 1] becomes the mean over orders 1..k of the mean over the references of `set`;
  // `scores` holds options().n numbers. A text without words scores 0. The set must not be empty.
  void score(std::string_view generation, size_t set, std::span<double> scores) const;
  std::vector<double> score(std::string_view generation, size_t set) const;

 private:
  class Generation;

  void count_sets(const Parts& parts);
  void weigh_references(const Parts& parts);
  double weight(const Gram& gram) const { return gram.count * idf_[gram.id]; }
  double norm_of(uint32_t reference, size_t order) const {
    return norms_[reference * options_.n + order];
  }
  // Nothing when they share no n-gram.
  std::optional<double> agreement(std::span<const Gram> generation,
                                  std::span<const Gram> reference) const;
  void add_similarity(const Generation& generation,
                      uint32_t reference,
                      std::span<double> sums) const;

  const text::StringSets& sets_;
  CiderOptions options_;
  NgramCounts counts_;  // of each distinct reference
  double full_idf_ = 0;
  std::vector<double> idf_;
  std::vector<double> norms_;  // [distinct references, orders]
};

}  // namespace snellen::metrics
