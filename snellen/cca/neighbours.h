// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/cca/fit.h"

namespace snellen::cca {

struct Neighbour {
  uint32_t row = 0;
  double cosine = 0;  // rounded_cosine
};

// Finds the rows whose projections have the largest cosine with a query. Candidates are found in
// float and scored again in double. Const methods are safe from many threads.
class Neighbours {
 public:
  // `rows` must outlive this; kept is one float per row and dimension. Only rows for which
  // `is_used` holds are found.
  Neighbours(Projector projector,
             Eigen::Map<const Rows> rows,
             const std::vector<bool>& is_used,
             unsigned num_threads);

  // For each query, a centred row of the common space: at least the `count` nearest rows, and every
  // row that is as near as the last of those. By falling cosine, equal ones by ascending row.
  std::vector<std::vector<Neighbour>> find(const Eigen::Ref<const Rows>& queries,
                                           size_t count) const;

  static constexpr int64_t kQueriesAtOnce = 192;

 private:
  std::vector<Neighbour> rescored(const Eigen::Ref<const Eigen::RowVectorXd>& query,
                                  const std::vector<uint32_t>& rows) const;

  Projector projector_;
  Eigen::Map<const Rows> rows_;
  int64_t num_dimensions_;
  size_t num_used_;
  std::vector<float> units_;   // [rows, dimensions], each of length 1 or 0; NaN where not used
  std::vector<double> norms_;  // of the projected rows
};

}  // namespace snellen::cca
