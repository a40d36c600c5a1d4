// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "snellen/metrics/ngram_table.h"
#include "snellen/text/string_pool.h"

namespace snellen::metrics {

// How to share work: run(num_parts, part) calls part(0) .. part(num_parts - 1), in any order or at
// once, and returns when all are done. Without `run` they are called one after the other.
struct Parts {
  size_t num_parts = 1;
  std::function<void(size_t num_parts, const std::function<void(size_t)>& part)> run;
};

struct Range {
  size_t begin;
  size_t end;
};
// What falls to one part of `total` things.
Range range_of(size_t total, size_t part, size_t num_parts);
void run_parts(const Parts& parts, const std::function<void(size_t)>& part);

struct Gram {
  uint32_t id;  // words first, 0 .. num_words - 1, then longer n-grams
  uint32_t count;
};

// The n-grams of every text of a pool, counted: order after order, each order sorted by id. Ids are
// given in the order in which n-grams first come, so nothing depends on how the work was shared.
// Const methods are safe from many threads.
class NgramCounts {
 public:
  NgramCounts(const text::StringPool& pool, size_t num_orders, const Parts& parts);

  size_t num_orders() const { return num_orders_; }
  // Distinct words and n-grams together.
  size_t num_ids() const { return words_.size() + ngrams_.size(); }
  size_t num_words_of(uint32_t text) const { return num_words_[text]; }
  // N-grams of `order`, counted from 0.
  std::span<const Gram> grams(uint32_t text, size_t order) const {
    size_t row = text * num_orders_ + order;
    return std::span(grams_).subspan(begins_[row], begins_[row + 1] - begins_[row]);
  }
  // N-grams of all orders.
  std::span<const Gram> grams(uint32_t text) const {
    size_t row = text * num_orders_;
    return std::span(grams_).subspan(begins_[row], begins_[row + num_orders_] - begins_[row]);
  }

  const text::StringPool& words() const { return words_; }
  const NgramTable& ngrams() const { return ngrams_; }
  // From a number of words() or ngrams() to the id of a Gram.
  uint32_t id_of(uint32_t number) const {
    return number < NgramTable::kFirst
               ? number
               : static_cast<uint32_t>(words_.size()) + (number - NgramTable::kFirst);
  }

 private:
  struct Counted;

  static Counted count_range(const text::StringPool& pool, Range range, size_t num_orders);
  // Gives the n-grams of one part numbers of the whole.
  void adopt(Counted& part);
  void place(const Counted& part, size_t first_text, size_t first_gram);

  size_t num_orders_;
  text::StringPool words_;
  NgramTable ngrams_;
  std::vector<Gram> grams_;
  std::vector<uint64_t> begins_;  // [texts, orders] and one more
  std::vector<uint32_t> num_words_;
};

}  // namespace snellen::metrics
