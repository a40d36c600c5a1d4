// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/fit.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "snellen/base/error.h"
#include "snellen/cca/product.h"

namespace snellen::cca {
namespace {

constexpr double kLargestEps = 1e-6;

Eigen::MatrixXd block_diagonal(const Eigen::MatrixXd& full, const std::vector<int64_t>& widths) {
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(full.rows(), full.cols());
  int64_t at = 0;
  for (int64_t width : widths) {
    blocks.block(at, at, width, width) = full.block(at, at, width, width);
    at += width;
  }
  return blocks;
}

void make_largest_component_positive(Eigen::MatrixXd& vectors) {
  for (int64_t column = 0; column < vectors.cols(); ++column) {
    Eigen::Index largest = 0;
    vectors.col(column).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, column) < 0) vectors.col(column) *= -1;
  }
}

struct Solution {
  Eigen::VectorXd values;   // descending
  Eigen::MatrixXd vectors;  // stacked, a column each
  double eps = 0;
};

// A v = lambda B v through B = L L^T and the symmetric problem of L^-1 A L^-T.
Solution solve_generalised(const Eigen::MatrixXd& covariance,
                           const std::vector<int64_t>& widths,
                           const FitOptions& options) {
  const int64_t kept = options.num_dimensions;
  for (double eps = options.eps; eps <= kLargestEps * 1.0001; eps *= 10) {
    Eigen::MatrixXd a = covariance;
    a.diagonal().array() += eps;
    const Eigen::LLT<Eigen::MatrixXd> cholesky(block_diagonal(a, widths));
    if (cholesky.info() != Eigen::Success) continue;
    Eigen::MatrixXd reduced = cholesky.matrixL().solve(a);
    reduced = cholesky.matrixL().solve(reduced.transpose()).eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((reduced + reduced.transpose()) /
                                                                2);
    if (solver.info() != Eigen::Success) continue;
    const Eigen::MatrixXd largest = solver.eigenvectors().rightCols(kept).rowwise().reverse();
    Solution solution{.values = solver.eigenvalues().tail(kept).reverse(),
                      .vectors = cholesky.matrixU().solve(largest),
                      .eps = eps};
    solution.vectors.colwise().normalize();
    if (solution.vectors.allFinite()) return solution;
  }
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("the covariance of the training rows is singular, also with {} on its "
                          "diagonal",
                          kLargestEps),
              "",
              "use more rows, or vectors without constant or repeated columns"};
}

// The inverse square root of a covariance, over its directions of positive variance.
Eigen::MatrixXd inverse_root(const Eigen::MatrixXd& covariance, double least) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  Eigen::VectorXd roots = Eigen::VectorXd::Zero(covariance.rows());
  for (int64_t i = 0; i < roots.size(); ++i) {
    const double value = solver.eigenvalues()(i);
    if (value > least) roots(i) = 1 / std::sqrt(value);
  }
  return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

Solution solve_mardia(const Eigen::MatrixXd& covariance,
                      const std::vector<int64_t>& widths,
                      const FitOptions& options) {
  if (widths.size() != 2)
    throw Error{ErrorCode::kUsage, "Mardia's method takes two views", "--method", "leave it out"};
  const int64_t first = widths[0];
  const int64_t second = widths[1];
  auto within = [&](int64_t at, int64_t width) -> Eigen::MatrixXd {
    return covariance.block(at, at, width, width) +
           options.ridge * Eigen::MatrixXd::Identity(width, width);
  };
  const Eigen::MatrixXd left = inverse_root(within(0, first), options.eps);
  const Eigen::MatrixXd right = inverse_root(within(first, second), options.eps);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(
      left * covariance.block(0, first, first, second) * right,
      Eigen::ComputeThinU | Eigen::ComputeThinV);
  const int64_t kept = options.num_dimensions;
  Solution solution{.values = svd.singularValues().head(kept),
                    .vectors = Eigen::MatrixXd(first + second, kept),
                    .eps = options.eps};
  solution.vectors << left * svd.matrixU().leftCols(kept), right * svd.matrixV().leftCols(kept);
  return solution;
}

}  // namespace

Projections fit(const Covariance& covariance,
                const std::vector<int64_t>& widths,
                const FitOptions& options) {
  const int64_t total = std::accumulate(widths.begin(), widths.end(), int64_t{0});
  SNELLEN_CHECK(total == covariance.mean().size());
  const int64_t most = options.method == Method::kMardia && widths.size() == 2
                           ? std::min(widths[0], widths[1])
                           : total;
  if (options.num_dimensions < 1 || options.num_dimensions > most)
    throw Error{
        ErrorCode::kUsage,
        fmt::format(
            "{} dimensions were asked for, the views have {}", options.num_dimensions, most),
        "--k",
        fmt::format("choose 1 to {}", most)};
  if (covariance.count() < 2)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} training rows are too few", covariance.count())};
  const Eigen::MatrixXd full = covariance.sample_covariance();
  if (!full.allFinite())
    throw Error{ErrorCode::kInvalidInput, "the training rows hold a number that is not finite"};
  Solution solution = options.method == Method::kMardia ? solve_mardia(full, widths, options)
                                                        : solve_generalised(full, widths, options);
  make_largest_component_positive(solution.vectors);
  Projections projections{.eigenvalues = solution.values, .views = {}, .eps = solution.eps};
  int64_t at = 0;
  for (int64_t width : widths) {
    projections.views.push_back({.mean = covariance.mean().segment(at, width),
                                 .weights = solution.vectors.middleRows(at, width)});
    at += width;
  }
  return projections;
}

Rows Projections::project(size_t view,
                          const Eigen::Ref<const Rows>& rows,
                          double power,
                          bool is_centred) const {
  return Projector(*this, view, power, is_centred).project(rows);
}

Projector::Projector(const Projections& projections, size_t view, double power, bool is_centred) {
  const Projections::View& one = projections.views.at(view);
  weights_ =
      one.weights * projections.eigenvalues.array().max(0.0).pow(power).matrix().asDiagonal();
  centre_ = Eigen::RowVectorXd::Zero(weights_.cols());
  if (is_centred) centre_ = one.mean * weights_;
}

Rows Projector::project(const Eigen::Ref<const Rows>& rows) const {
  SNELLEN_CHECK(rows.cols() == width());
  Rows projected(rows.rows(), weights_.cols());
  multiply(Operand<double>{rows.data(), rows.rows(), rows.outerStride(), 1},
           Operand<double>{weights_.data(), weights_.cols(), 1, weights_.cols()},
           width(),
           projected.data(),
           projected.cols());
  projected.rowwise() -= centre_;
  return projected;
}

Projector::Direction Projector::towards(const Eigen::Ref<const Eigen::RowVectorXd>& q) const {
  return {.direction = weights_ * q.transpose(), .shift = centre_.dot(q)};
}

double rounded_cosine(double cosine) {
  return std::round(cosine * 1e9) / 1e9;
}

double cosine(const Eigen::Ref<const Eigen::RowVectorXd>& a,
              const Eigen::Ref<const Eigen::RowVectorXd>& b) {
  const double norms = a.norm() * b.norm();
  return norms > 0 ? a.dot(b) / norms : 0.0;
}

}  // namespace snellen::cca
