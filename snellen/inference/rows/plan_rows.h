// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>

#include "snellen/base/error.h"
#include "snellen/inference/rows/mapped_rows.h"
#include "snellen/inference/table.h"
#include "snellen/models/worker.h"

namespace snellen::inference {

// What a job came to: rows of equal width, and why some have none.
struct JobResult {
  Job job = {};
  size_t width = 0;
  std::vector<float> values = {};
  std::map<uint32_t, Error> failures = {};  // by number of the visual, text or question
  std::map<uint32_t, std::vector<double>> directions = {};  // of ensembles, in the place of rows
  std::optional<models::WorkerReply> reply = {};            // of a question that wants an answer

  // The place of a row; all get the width of the first.
  std::span<float> row(uint32_t id, size_t row_width) {
    if (width == 0) {
      width = row_width;
      values.resize(width * (job.end - job.begin));
    }
    SNELLEN_CHECK(width == row_width);
    return std::span(values).subspan((id - job.begin) * width, width);
  }
};

// The rows of all visuals or of all texts of a plan, kept as jobs are done. Rows that were kept are
// read from many threads; one thread keeps.
class PlanRows {
 public:
  PlanRows(std::filesystem::path folder, uint32_t num_rows)
      : folder_(std::move(folder)), num_rows_(num_rows) {}

  void keep(const JobResult& done) {
    keep_failures(done);
    if (done.width == 0) return;
    if (!rows_) {
      width_ = done.width;
      rows_ = std::make_unique<MappedRows>(folder_, width_ * num_rows_);
    }
    SNELLEN_CHECK(done.width == width_);
    std::span<float> place = rows_->values(uint64_t{done.job.begin} * width_, done.values.size());
    std::copy(done.values.begin(), done.values.end(), place.begin());
  }
  void keep_failures(const JobResult& done) {
    if (done.failures.empty()) return;
    std::lock_guard lock(mutex_);
    failures_.insert(done.failures.begin(), done.failures.end());
    has_failures_ = true;
  }

  std::span<const float> row(uint32_t id) const {
    const MappedRows& rows = *rows_;
    return rows.values(uint64_t{id} * width_, width_);
  }
  // Why there is no row; null when there is one.
  const Error* failure(uint32_t id) const {
    if (!has_failures_) return nullptr;
    std::shared_lock lock(mutex_);
    auto found = failures_.find(id);
    return found == failures_.end() ? nullptr : &found->second;
  }

 private:
  std::filesystem::path folder_;
  uint32_t num_rows_;
  size_t width_ = 0;
  std::unique_ptr<MappedRows> rows_;
  std::atomic<bool> has_failures_ = false;
  mutable std::shared_mutex mutex_;     // guards failures_
  std::map<uint32_t, Error> failures_;  // its nodes stay where they are
};

}  // namespace snellen::inference
