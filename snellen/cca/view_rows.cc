// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/view_rows.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/cca/product.h"

namespace snellen::cca {
namespace {

constexpr uint64_t kRowsAtOnce = 2048;

// The training rows of each distinct row that has any.
struct Groups {
  std::vector<uint32_t> distinct;  // those with training rows, ascending
  std::vector<uint64_t> begins;    // by place in `distinct`, and the end
  std::vector<uint32_t> members;   // training rows
};

Groups groups_of(const ViewRows& view) {
  const auto num_distinct = static_cast<size_t>(view.distinct.rows());
  std::vector<uint64_t> places(num_distinct + 1);
  for (uint32_t row : view.index) {
    SNELLEN_CHECK(row < num_distinct);
    ++places[row + 1];
  }
  std::partial_sum(places.begin(), places.end(), places.begin());
  Groups groups;
  groups.begins.push_back(0);
  for (uint32_t row = 0; row < num_distinct; ++row) {
    if (places[row] == places[row + 1]) continue;
    groups.distinct.push_back(row);
    groups.begins.push_back(places[row + 1]);
  }
  groups.members.resize(view.index.size());
  for (size_t i = 0; i < view.index.size(); ++i)
    groups.members[places[view.index[i]]++] = static_cast<uint32_t>(i);
  return groups;
}

Eigen::RowVectorXd mean_of(const ViewRows& view, const Groups& groups) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(view.distinct.cols());
  for (size_t i = 0; i < groups.distinct.size(); ++i)
    sum += static_cast<double>(groups.begins[i + 1] - groups.begins[i]) *
           view.distinct.row(groups.distinct[i]);
  return sum / static_cast<double>(view.index.size());
}

// The products of the deviations of view `first` with those of itself and of all later views, over
// some of its distinct rows.
Rows products(std::span<const ViewRows> views,
              std::span<const Eigen::RowVectorXd> means,
              size_t first,
              const Groups& groups,
              uint64_t begin,
              uint64_t end) {
  int64_t width = 0;
  for (size_t v = first; v < views.size(); ++v) width += views[v].distinct.cols();
  const auto num_rows = static_cast<int64_t>(end - begin);
  const int64_t own_width = views[first].distinct.cols();
  Rows left(num_rows, own_width);
  Rows right = Rows::Zero(num_rows, width);
  for (int64_t i = 0; i < num_rows; ++i) {
    const uint64_t place = begin + static_cast<uint64_t>(i);
    const uint64_t from = groups.begins[place];
    const uint64_t to = groups.begins[place + 1];
    const auto weight = static_cast<double>(to - from);
    left.row(i) = views[first].distinct.row(groups.distinct[place]) - means[first];
    right.row(i).head(own_width) = weight * left.row(i);
    int64_t at = own_width;
    for (size_t v = first + 1; v < views.size(); ++v) {
      auto sum = right.row(i).segment(at, views[v].distinct.cols());
      for (uint64_t m = from; m < to; ++m)
        sum += views[v].distinct.row(views[v].index[groups.members[m]]);
      sum -= weight * means[v];
      at += views[v].distinct.cols();
    }
  }
  Rows out(own_width, width);
  multiply(Operand<double>{left.data(), own_width, 1, own_width},
           Operand<double>{right.data(), width, 1, width},
           num_rows,
           out.data(),
           width);
  return out;
}

}  // namespace

Covariance covariance_of(std::span<const ViewRows> views,
                         unsigned num_threads,
                         const std::function<void(uint64_t done, uint64_t total)>& tell) {
  SNELLEN_CHECK(!views.empty());
  std::vector<Groups> groups;
  std::vector<Eigen::RowVectorXd> means;
  std::vector<int64_t> starts;
  int64_t total = 0;
  uint64_t num_distinct = 0;
  for (const ViewRows& view : views) {
    SNELLEN_CHECK(view.index.size() == views[0].index.size());
    groups.push_back(groups_of(view));
    means.push_back(mean_of(view, groups.back()));
    starts.push_back(total);
    total += view.distinct.cols();
    num_distinct += groups.back().distinct.size();
  }
  Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(total, total);
  Eigen::RowVectorXd mean(total);
  uint64_t num_done = 0;
  for (size_t v = 0; v < views.size(); ++v) {
    mean.segment(starts[v], means[v].size()) = means[v];
    const uint64_t count = groups[v].distinct.size();
    Rows sum = Rows::Zero(means[v].size(), total - starts[v]);
    ordered_pipeline<Rows>(
        (count + kRowsAtOnce - 1) / kRowsAtOnce,
        std::max(1U, num_threads),
        [&](uint64_t block) {
          const uint64_t begin = block * kRowsAtOnce;
          return products(views, means, v, groups[v], begin, std::min(count, begin + kRowsAtOnce));
        },
        [&](Rows&& part) {
          sum += part;
          num_done = std::min(num_done + kRowsAtOnce, num_distinct);
          if (tell) tell(num_done, num_distinct);
        },
        [] { return false; });
    scatter.block(starts[v], starts[v], total - starts[v], means[v].size()) = sum.transpose();
  }
  return {static_cast<double>(views[0].index.size()), std::move(mean), std::move(scatter)};
}

}  // namespace snellen::cca
