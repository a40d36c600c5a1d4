// SPDX-License-Identifier: Apache-2.0
// CIDEr (Vedantam et al. 2015): tf-idf weighted n-gram agreement of a generated text with a set of
// references. The plain form is what the VisDial evaluation reports; variant d (CIDEr-D: clipped
// counts, Gaussian length penalty, x10) is what captioning toolkits call CIDEr. Tokens are split on
// white space, nothing else is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "snellen/metrics/ngram_table.h"
#include "snellen/text/string_pool.h"

namespace snellen::metrics {

enum class CiderVariant { kPlain, kD };

struct CiderOptions {
  size_t n = 4;  // longest n-gram, 1..64
  CiderVariant variant = CiderVariant::kPlain;
  double sigma = 6.0;  // of the length penalty of variant d
};

// Runs part(0) .. part(num_parts - 1), in any order or at once; the default runs them one after the
// other.
struct Parts {
  size_t num_parts = 1;
  std::function<void(size_t num_parts, const std::function<void(size_t)>& part)> run;
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
  struct Gram {
    uint32_t id;
    uint32_t count;
  };
  // One text as counts of known n-grams, order after order, each order sorted by id.
  struct Counted {
    const Gram* grams = nullptr;  // order k lies at [k == 0 ? begin : ends[k - 1], ends[k])
    uint64_t begin = 0;
    const uint64_t* ends = nullptr;
    const double* norms = nullptr;  // of each order, unseen n-grams included
    size_t num_words = 0;

    std::span<const Gram> order(size_t k) const {
      uint64_t first = k == 0 ? begin : ends[k - 1];
      return {grams + first, static_cast<size_t>(ends[k] - first)};
    }
  };
  class Storage;

  void count_references();
  void count_sets(const Parts& parts);
  void weigh_references(const Parts& parts);
  Counted reference(uint32_t sentence) const;
  double weight(const Gram& gram) const { return gram.count * idf_[gram.id]; }
  // Nothing when they share no n-gram.
  std::optional<double> agreement(std::span<const Gram> generation,
                                  std::span<const Gram> reference) const;
  void add_similarity(const Counted& generation,
                      const Counted& reference,
                      std::span<double> sums) const;

  const text::StringSets& sets_;
  CiderOptions options_;
  size_t num_orders_ = 0;  // orders in use: n, or fewer when no reference is that long
  text::StringPool words_;
  NgramTable ngrams_;  // ids of words first, then of longer n-grams
  double full_idf_ = 0;
  std::vector<double> idf_;
  // Per distinct reference text.
  std::vector<Gram> grams_;
  std::vector<uint64_t> ends_;       // [texts, orders]
  std::vector<double> norms_;        // [texts, orders]
  std::vector<uint32_t> num_words_;  // [texts]
};

}  // namespace snellen::metrics
