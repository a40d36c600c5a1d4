// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/covariance.h"

#include "snellen/base/error.h"

namespace snellen::cca {

void Covariance::add(const Eigen::Ref<const Rows>& rows) {
  add(rows, Eigen::VectorXd::Ones(rows.rows()));
}

void Covariance::add(const Eigen::Ref<const Rows>& rows,
                     const Eigen::Ref<const Eigen::VectorXd>& weights) {
  SNELLEN_CHECK(rows.cols() == mean_.size() && rows.rows() == weights.size());
  const double count = weights.sum();
  if (!(count > 0)) return;
  Covariance block(rows.cols());
  block.count_ = count;
  block.mean_ = (weights.transpose() * rows) / count;
  Rows centred = rows.rowwise() - block.mean_;
  centred.array().colwise() *= weights.array().sqrt();
  block.scatter_.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
  merge(block);
}

void Covariance::merge(const Covariance& other) {
  SNELLEN_CHECK(other.mean_.size() == mean_.size());
  if (other.count_ == 0) return;
  const double total = count_ + other.count_;
  const Eigen::RowVectorXd difference = other.mean_ - mean_;
  scatter_ += other.scatter_;
  scatter_.selfadjointView<Eigen::Lower>().rankUpdate(difference.transpose(),
                                                      count_ * other.count_ / total);
  mean_ += difference * (other.count_ / total);
  count_ = total;
}

Eigen::MatrixXd Covariance::sample_covariance() const {
  SNELLEN_CHECK(count_ > 1);
  Eigen::MatrixXd full = scatter_.selfadjointView<Eigen::Lower>();
  return full / (count_ - 1);
}

}  // namespace snellen::cca
