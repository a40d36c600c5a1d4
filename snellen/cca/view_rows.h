// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "snellen/cca/covariance.h"

namespace snellen::cca {

// One view of the training rows: its distinct rows, and which of them each training row is. Texts
// repeat, so there are far fewer distinct rows.
struct ViewRows {
  Eigen::Map<const Rows> distinct;
  std::span<const uint32_t> index;  // one per training row
};

// The covariance of the training rows with the views side by side, from distinct rows: the products
// within a view are weighted, those of two views use the sum of the other view's rows. It is what
// Covariance::add() gives for the training rows one by one, for less work. The result does not
// depend on the number of threads. `tell` hears how many distinct rows are done.
Covariance covariance_of(std::span<const ViewRows> views,
                         unsigned num_threads,
                         const std::function<void(uint64_t done, uint64_t total)>& tell = {});

}  // namespace snellen::cca
