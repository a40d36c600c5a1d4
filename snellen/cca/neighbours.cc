// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/neighbours.h"

#include <algorithm>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/cca/product.h"

namespace snellen::cca {
namespace {

constexpr int64_t kRowsAtOnce = 2048;
// Candidates beyond those wanted, and how far the last must lie behind: products of unit rows in
// float are wrong by less than 1e-6.
constexpr size_t kSpare = 32;
constexpr float kMargin = 1e-5F;

// The rows with the largest scores of those that were offered.
class BestRows {
 public:
  explicit BestRows(size_t count) : count_(count) { best_.reserve(2 * count); }

  void offer(const float* scores, int64_t num, uint32_t first_row) {
    for (int64_t i = 0; i < num; ++i) {
      if (!(scores[i] > least_)) continue;  // NaN too
      best_.push_back({scores[i], first_row + static_cast<uint32_t>(i)});
      if (best_.size() >= 2 * count_) cut();
    }
  }
  void finish() {
    cut();
    std::sort(best_.begin(), best_.end(), is_before);
  }
  // After finish(): how far the last one lies behind the one at `place`.
  float lead(size_t place) const { return best_[place].score - best_.back().score; }
  size_t size() const { return best_.size(); }
  std::vector<uint32_t> rows() const {
    std::vector<uint32_t> rows;
    for (const Scored& one : best_) rows.push_back(one.row);
    return rows;
  }

 private:
  struct Scored {
    float score;
    uint32_t row;
  };
  static bool is_before(const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  }
  void cut() {
    if (best_.size() <= count_) return;
    std::nth_element(best_.begin(),
                     best_.begin() + static_cast<std::ptrdiff_t>(count_) - 1,
                     best_.end(),
                     is_before);
    best_.resize(count_);
    least_ = best_.back().score;
  }

  size_t count_;
  float least_ = -std::numeric_limits<float>::infinity();
  std::vector<Scored> best_;
};

}  // namespace

Neighbours::Neighbours(Projector projector,
                       Eigen::Map<const Rows> rows,
                       const std::vector<bool>& is_used,
                       unsigned num_threads)
    : projector_(std::move(projector)),
      rows_(rows),
      num_dimensions_(projector_.num_dimensions()),
      num_used_(static_cast<size_t>(std::count(is_used.begin(), is_used.end(), true))),
      units_(static_cast<size_t>(rows.rows() * num_dimensions_)),
      norms_(static_cast<size_t>(rows.rows())) {
  const auto num_rows = static_cast<uint64_t>(rows.rows());
  ordered_pipeline<bool>((num_rows + kRowsAtOnce - 1) / kRowsAtOnce,
                         std::max(1U, num_threads),
                         [&](uint64_t block) {
                           const auto first = static_cast<int64_t>(block) * kRowsAtOnce;
                           const int64_t num = std::min(kRowsAtOnce, rows_.rows() - first);
                           const Rows projected = projector_.project(rows_.middleRows(first, num));
                           for (int64_t i = 0; i < num; ++i) {
                             const double norm = projected.row(i).norm();
                             norms_[static_cast<size_t>(first + i)] = norm;
                             double scale = norm > 0 ? 1 / norm : 0;
                             if (!is_used[static_cast<size_t>(first + i)])
                               scale = std::numeric_limits<double>::quiet_NaN();
                             float* unit = units_.data() + (first + i) * num_dimensions_;
                             for (int64_t d = 0; d < num_dimensions_; ++d)
                               unit[d] = static_cast<float>(projected(i, d) * scale);
                           }
                           return true;
                         },
                         [](bool&&) {},
                         [] { return false; });
}

std::vector<Neighbour> Neighbours::rescored(const Eigen::Ref<const Eigen::RowVectorXd>& query,
                                            const std::vector<uint32_t>& rows) const {
  const Projector::Direction towards = projector_.towards(query);
  const double query_norm = query.norm();
  std::vector<Neighbour> found;
  for (uint32_t row : rows) {
    const double norms = norms_[row] * query_norm;
    const double product = rows_.row(row).dot(towards.direction) - towards.shift;
    found.push_back({row, norms > 0 ? rounded_cosine(product / norms) : 0.0});
  }
  std::sort(found.begin(), found.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row;
  });
  return found;
}

std::vector<std::vector<Neighbour>> Neighbours::find(const Eigen::Ref<const Rows>& queries,
                                                     size_t count) const {
  SNELLEN_CHECK(queries.cols() == num_dimensions_ && count > 0);
  const int64_t num_queries = queries.rows();
  std::vector<std::vector<Neighbour>> all(static_cast<size_t>(num_queries));
  std::vector<int64_t> open;
  for (int64_t i = 0; i < num_queries; ++i) open.push_back(i);
  std::vector<float> scores;
  for (size_t wanted = count + kSpare; !open.empty(); wanted *= 4) {
    const auto num_open = static_cast<int64_t>(open.size());
    std::vector<float> units(static_cast<size_t>(num_open * num_dimensions_));
    for (int64_t i = 0; i < num_open; ++i) {
      const double norm = queries.row(open[static_cast<size_t>(i)]).norm();
      for (int64_t d = 0; d < num_dimensions_; ++d)
        units[static_cast<size_t>(i * num_dimensions_ + d)] =
            norm > 0 ? static_cast<float>(queries(open[static_cast<size_t>(i)], d) / norm) : 0.0F;
    }
    std::vector<BestRows> best(open.size(), BestRows(wanted));
    scores.resize(static_cast<size_t>(num_open * kRowsAtOnce));
    for (int64_t first = 0; first < rows_.rows(); first += kRowsAtOnce) {
      const int64_t num = std::min(kRowsAtOnce, rows_.rows() - first);
      multiply(Operand<float>{units.data(), num_open, num_dimensions_, 1},
               Operand<float>{units_.data() + first * num_dimensions_, num, num_dimensions_, 1},
               num_dimensions_,
               scores.data(),
               kRowsAtOnce);
      for (size_t i = 0; i < best.size(); ++i)
        best[i].offer(scores.data() + static_cast<int64_t>(i) * kRowsAtOnce,
                      num,
                      static_cast<uint32_t>(first));
    }
    std::vector<int64_t> again;
    for (size_t i = 0; i < best.size(); ++i) {
      best[i].finish();
      const bool is_all = best[i].size() == num_used_;
      if (!is_all && best[i].lead(count - 1) <= kMargin) {
        again.push_back(open[i]);
        continue;
      }
      all[static_cast<size_t>(open[i])] = rescored(queries.row(open[i]), best[i].rows());
    }
    open = std::move(again);
  }
  return all;
}

}  // namespace snellen::cca
