// SPDX-License-Identifier: Apache-2.0
// t-SNE (van der Maaten and Hinton 2008) in two dimensions, with Barnes-Hut forces (2014).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace snellen::stats {

struct TsneOptions {
  double perplexity = 30;  // less where there are too few points for it
  int num_iterations = 1000;
  double theta = 0.5;  // how far away cells stand for their points
  uint64_t seed = 0;
  unsigned num_threads = 1;  // changes nothing but the time
};

struct Point2 {
  double x = 0;
  double y = 0;
};

// One place per row of `values`, [num_rows, width], all finite; their middle is at 0. Rows that are
// close stay close; distances between far groups mean little. The same input gives the same places.
// Time grows with num_rows^2 * width once, then with num_rows * log(num_rows) per iteration.
std::vector<Point2> tsne(std::span<const float> values,
                         size_t num_rows,
                         const TsneOptions& options);

}  // namespace snellen::stats
