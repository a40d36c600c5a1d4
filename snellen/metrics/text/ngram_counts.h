// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "snellen/metrics/text/sharded_ngrams.h"
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

// The n-grams of every text of a pool, counted: order after order, each order sorted by id. Ids do
// not depend on how the work was shared.
// Const methods are safe from many threads.
class NgramCounts {
 public:
  NgramCounts(const text::StringPool& pool, size_t num_orders, const Parts& parts);

  size_t num_orders() const { return num_orders_; }
  // One more than the largest id; not every number below it is an id.
  size_t num_ids() const { return words_.size() + ngrams_.end(); }
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
  const ShardedNgrams& ngrams() const { return ngrams_; }
  // From a number of words() or ngrams() to the id of a Gram.
  uint32_t id_of(uint32_t number) const {
    return number < NgramTable::kFirst
               ? number
               : static_cast<uint32_t>(words_.size()) + (number - NgramTable::kFirst);
  }

 private:
  struct Numbered;

  // The words of every text as numbers of words_.
  Numbered read_words(const text::StringPool& pool, const Parts& parts);
  // From the n-grams of one order that start at each word to those of the next.
  void extend(Numbered& texts, size_t order, const Parts& parts);
  void count(const Numbered& texts, const Parts& parts);

  size_t num_orders_;
  text::StringPool words_;
  ShardedNgrams ngrams_;
  std::vector<Gram> grams_;
  std::vector<uint64_t> begins_;  // [texts, orders] and one more
  std::vector<uint32_t> num_words_;
};

}  // namespace snellen::metrics
