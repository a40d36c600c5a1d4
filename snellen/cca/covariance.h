// SPDX-License-Identifier: Apache-2.0
// Means and covariances of a stream of rows in one pass, mergeable (Chan et al. 1979).
#pragma once

#include <cstdint>
#include <utility>

#include <Eigen/Core>

namespace snellen::cca {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One thread at a time. Blocks that were added elsewhere are merged; in the same order the result
// is the same bits.
class Covariance {
 public:
  explicit Covariance(int64_t width)
      : mean_(Eigen::RowVectorXd::Zero(width)), scatter_(Eigen::MatrixXd::Zero(width, width)) {}

  // What was summed elsewhere: `scatter` holds the sums of products of deviations, its lower
  // triangle counts.
  Covariance(double count, Eigen::RowVectorXd mean, Eigen::MatrixXd scatter)
      : count_(count), mean_(std::move(mean)), scatter_(std::move(scatter)) {}

  // Each row counts as often as `weights` says, or once without them.
  void add(const Eigen::Ref<const Rows>& rows);
  void add(const Eigen::Ref<const Rows>& rows, const Eigen::Ref<const Eigen::VectorXd>& weights);
  void merge(const Covariance& other);

  double count() const { return count_; }
  const Eigen::RowVectorXd& mean() const { return mean_; }
  // Divisor n - 1; needs two rows.
  Eigen::MatrixXd sample_covariance() const;

 private:
  double count_ = 0;
  Eigen::RowVectorXd mean_;
  Eigen::MatrixXd scatter_;  // sums of products of deviations; the lower triangle alone is kept
};

}  // namespace snellen::cca
