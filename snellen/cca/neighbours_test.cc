// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/neighbours.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"

namespace snellen::cca {
namespace {

// The common space is the one that the rows are in.
Projector identity(int64_t width) {
  Projections::View view{.mean = Eigen::RowVectorXd::Zero(width),
                         .weights = Eigen::MatrixXd::Identity(width, width)};
  return Projector({.eigenvalues = Eigen::VectorXd::Ones(width), .views = {view}}, 0, 1);
}

Rows random_rows(int64_t count, int64_t width, uint64_t seed) {
  Rng rng(seed);
  Rows rows(count, width);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t d = 0; d < width; ++d) rows(i, d) = rng.u01() - 0.5;
  return rows;
}

Neighbours over(const Rows& rows, unsigned num_threads = 1) {
  return {identity(rows.cols()),
          {rows.data(), rows.rows(), rows.cols()},
          std::vector<bool>(static_cast<size_t>(rows.rows()), true),
          num_threads};
}

// All rows by falling cosine in double, equal ones by number.
std::vector<Neighbour> by_hand(const Rows& rows, const Eigen::RowVectorXd& query) {
  std::vector<Neighbour> all;
  for (int64_t i = 0; i < rows.rows(); ++i)
    all.push_back({static_cast<uint32_t>(i),
                   rounded_cosine(rows.row(i).dot(query) / rows.row(i).norm() / query.norm())});
  std::stable_sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.cosine > b.cosine;
  });
  return all;
}

// The first `count` are those of the search by hand, and none that is as near as the last of them
// is missing.
void expect_nearest(const std::vector<Neighbour>& found,
                    const std::vector<Neighbour>& wanted,
                    size_t count) {
  size_t end = count;
  while (end < wanted.size() && wanted[end].cosine == wanted[count - 1].cosine) ++end;
  ASSERT_GE(found.size(), end);
  for (size_t i = 0; i < end; ++i) {
    EXPECT_EQ(found[i].row, wanted[i].row) << i;
    EXPECT_EQ(found[i].cosine, wanted[i].cosine) << i;
  }
}

TEST(Neighbours, AreThoseOfASearchInDouble) {
  const Rows rows = random_rows(5000, 17, 1);
  const Rows queries = random_rows(30, 17, 2);
  for (const unsigned num_threads : {1U, 3U}) {
    const Neighbours neighbours = over(rows, num_threads);
    for (const size_t count : {1U, 15U, 100U}) {
      const auto found = neighbours.find(queries, count);
      for (int64_t i = 0; i < queries.rows(); ++i)
        expect_nearest(found[static_cast<size_t>(i)], by_hand(rows, queries.row(i)), count);
    }
  }
}

// More rows than the spare ones lie so near to each other that float does not tell them apart; the
// search is widened until the last candidate lies clearly behind.
TEST(Neighbours, AreExactAmongManyThatFloatCannotTellApart) {
  constexpr int64_t kNear = 700;
  Rows rows = random_rows(4000, 8, 3);
  const Eigen::RowVectorXd query = random_rows(1, 8, 4).row(0);
  const Rows offsets = random_rows(kNear, 8, 5);
  Rng rng(6);
  for (int64_t i = 0; i < kNear; ++i) {
    // Cosines within about 1e-8 of one, in an order that has nothing to do with the numbers.
    const auto place = static_cast<int64_t>(rng.below(4000));
    rows.row(place) = query + 2e-4 * rng.u01() * offsets.row(i);
  }
  const std::vector<Neighbour> wanted = by_hand(rows, query);
  ASSERT_LT(wanted[0].cosine - wanted[500].cosine, 1e-6);
  const Neighbours neighbours = over(rows);
  for (const size_t count : {1U, 5U, 15U, 60U})
    expect_nearest(neighbours.find(query, count)[0], wanted, count);
}

TEST(Neighbours, WidenNoFurtherThanTheLastNearTie) {
  // 40 equal rows ahead of others: one more than 1 + 32 spare, so that the first search does not
  // do.
  Rows rows = Rows::Zero(300, 2);
  for (int64_t i = 0; i < 300; ++i) {
    rows(i, 0) = 1;
    rows(i, 1) = i < 40 ? 0 : 0.01 * static_cast<double>(i);
  }
  Rows query(1, 2);
  query << 2, 0;
  const auto found = over(rows).find(query, 1)[0];
  ASSERT_GE(found.size(), 40U);
  EXPECT_LT(found.size(), 300U);
  for (uint32_t i = 0; i < 40; ++i) EXPECT_EQ(found[i].row, i);
  EXPECT_LT(found[40].cosine, found[39].cosine);
}

TEST(Neighbours, FindNothingThatIsNotUsed) {
  const Rows rows = random_rows(100, 3, 7);
  std::vector<bool> is_used(100, false);
  is_used[3] = is_used[77] = true;
  const Neighbours neighbours(identity(3), {rows.data(), 100, 3}, is_used, 1);
  const auto found = neighbours.find(random_rows(1, 3, 8), 5)[0];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].row + found[1].row, 80U);
}

}  // namespace
}  // namespace snellen::cca
