// SPDX-License-Identifier: Apache-2.0
// Canonical correlation analysis of any number of views (docs/spec/visdial.md 5.3).
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "snellen/cca/covariance.h"

namespace snellen::cca {

enum class Method {
  kGeneralised,  // Bach and Jordan 2002: one eigenproblem over all views
  kMardia,       // whitening with a ridge, then an SVD; two views only
};

struct FitOptions {
  int64_t num_dimensions = 300;  // kept, those with the largest eigenvalues
  Method method = Method::kGeneralised;
  double eps =
      1e-12;  // added to the diagonals; raised tenfold, up to 1e-6, where they are singular
  double ridge = 1e-4;  // kMardia: added to the covariances within views
};

// What projects rows of each view into the common space.
struct Projections {
  struct View {
    Eigen::RowVectorXd mean;  // of the training rows
    Eigen::MatrixXd weights;  // [width, num_dimensions]
  };
  // Descending. kGeneralised: for two views 1 + the canonical correlation; kMardia: the
  // correlation.
  Eigen::VectorXd eigenvalues;
  std::vector<View> views;  // in the order of the fit: the answer first
  double eps = 0;           // that was added in the end

  int64_t num_dimensions() const { return eigenvalues.size(); }
  // (row - mean) * weights * eigenvalues^power; without the mean where rows are not to be centred.
  Rows project(size_t view,
               const Eigen::Ref<const Rows>& rows,
               double power,
               bool is_centred = true) const;
};

// One view's way into the common space, worked out for one power. Const methods are safe from many
// threads.
class Projector {
 public:
  Projector(const Projections& projections, size_t view, double power, bool is_centred = true);

  int64_t width() const { return weights_.rows(); }
  int64_t num_dimensions() const { return weights_.cols(); }
  Rows project(const Eigen::Ref<const Rows>& rows) const;
  // For a row q of the common space: what gives the products of q with projected rows from the rows
  // themselves, `row . direction - shift`.
  struct Direction {
    Eigen::VectorXd direction;
    double shift = 0;
  };
  Direction towards(const Eigen::Ref<const Eigen::RowVectorXd>& q) const;

 private:
  Rows weights_;               // [width, num_dimensions], scaled
  Eigen::RowVectorXd centre_;  // the projected mean; zeros where rows are not centred
};

// `covariance` is of rows with the views side by side, `widths` their widths in that order. Each
// stacked eigenvector has Euclidean norm 1 over all views together, and its component of largest
// magnitude is positive. Throws kInvalidInput where rows are too few or the covariance is singular
// beyond mending, kUsage for more dimensions than there are.
Projections fit(const Covariance& covariance,
                const std::vector<int64_t>& widths,
                const FitOptions& options);

// Cosines that differ by the rounding of arithmetic alone are equal: nine decimals are kept
// wherever they are compared.
double rounded_cosine(double cosine);

// The cosine of two rows; 0 where one of them is zero.
double cosine(const Eigen::Ref<const Eigen::RowVectorXd>& a,
              const Eigen::Ref<const Eigen::RowVectorXd>& b);

}  // namespace snellen::cca
