// SPDX-License-Identifier: Apache-2.0
// What a run asks of a model, each distinct thing once. A pure function of the asks in their order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/media/visual_place.h"
#include "snellen/models/model.h"
#include "snellen/text/string_pool.h"

namespace snellen::inference {

// A stretch of distinct visuals or texts that is worked on together.
struct Job {
  enum class Kind { kVisuals, kTexts };
  Kind kind = Kind::kVisuals;
  uint32_t begin = 0;
  uint32_t end = 0;
  uint64_t first_ask = 0;  // the ask that needs it first: jobs are done in this order
};

struct TableOptions {
  bool has_visuals = true;  // false for models of text alone
  bool has_pairs = false;   // models that look at both together: which texts go with each visual
};

// Const methods are safe from many threads.
class Table {
 public:
  Table(const models::AskSource& asks, const TableOptions& options);

  uint64_t num_asks() const { return num_asks_; }
  uint64_t num_cells() const { return num_cells_; }
  uint32_t num_visuals() const { return static_cast<uint32_t>(visuals_.size()); }
  uint32_t num_texts() const { return static_cast<uint32_t>(texts_.size()); }
  // Distinct (visual, text) pairs; 0 unless pairs were asked for.
  uint64_t num_pairs() const { return pairs_.size(); }

  // Where a visual lies, or why it cannot be said.
  const Result<media::VisualPlace>& visual(uint32_t id) const { return visuals_[id]; }
  std::string_view text(uint32_t id) const { return texts_[id]; }
  // The texts that are asked with a visual, ascending; they are the pairs first_pair .. of it.
  std::span<const uint32_t> texts_of(uint32_t visual) const;
  uint64_t first_pair(uint32_t visual) const { return pair_begins_[visual]; }

  uint32_t visual_id(const models::Ask& ask, std::string_view visual) const;
  uint32_t text_id(std::string_view text) const { return texts_.find(text); }
  uint64_t pair_id(uint32_t visual, uint32_t text) const;

  // In the order in which asks need them.
  std::vector<Job> jobs(uint32_t visuals_per_job, uint32_t texts_per_job) const;

 private:
  uint32_t add_visual(const models::Ask& ask, std::string_view name);

  TableOptions options_;
  uint64_t num_asks_ = 0;
  uint64_t num_cells_ = 0;
  DistinctIds names_;  // (task, name)
  std::vector<uint32_t> visual_of_name_;
  DistinctIds paths_;
  std::vector<Result<media::VisualPlace>> visuals_;
  std::vector<uint64_t> visual_first_ask_;
  text::StringPool texts_;
  std::vector<uint64_t> text_first_ask_;
  std::vector<uint64_t> pair_begins_;
  std::vector<uint32_t> pairs_;
};

}  // namespace snellen::inference
