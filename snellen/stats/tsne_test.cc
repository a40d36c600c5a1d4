// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/tsne.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"
#include "snellen/stats/tsne_cells.h"

namespace snellen::stats {
namespace {

constexpr size_t kWidth = 20;

// `per_group` rows around each of `num_groups` distant middles.
std::vector<float> groups_of_rows(size_t num_groups, size_t per_group) {
  Rng rng("5|rows");
  std::vector<float> values;
  for (size_t group = 0; group < num_groups; ++group) {
    for (size_t row = 0; row < per_group; ++row) {
      for (size_t i = 0; i < kWidth; ++i)
        values.push_back(static_cast<float>((i == group ? 20.0 : 0.0) + rng.gauss()));
    }
  }
  return values;
}

double distance(const Point2& a, const Point2& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

TEST(Tsne, KeepsTheNearestRowOfTheSameGroupNearest) {
  constexpr size_t kGroups = 4, kRows = 60;
  const std::vector<Point2> places =
      tsne(groups_of_rows(kGroups, kRows), kGroups * kRows, {.num_iterations = 500});
  size_t num_wrong = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    size_t nearest = i == 0 ? 1 : 0;
    for (size_t j = 0; j < places.size(); ++j) {
      if (j != i && distance(places[i], places[j]) < distance(places[i], places[nearest]))
        nearest = j;
    }
    num_wrong += nearest / kRows != i / kRows;
  }
  EXPECT_EQ(num_wrong, 0U);
}

TEST(Tsne, IsTheSameWhateverTheThreads) {
  const std::vector<float> rows = groups_of_rows(3, 30);
  const std::vector<Point2> one = tsne(rows, 90, {.num_iterations = 100});
  const std::vector<Point2> four = tsne(rows, 90, {.num_iterations = 100, .num_threads = 4});
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].x, four[i].x);
    EXPECT_EQ(one[i].y, four[i].y);
  }
}

TEST(Tsne, TakesFewRowsAndEqualOnes) {
  EXPECT_TRUE(tsne({}, 0, {}).empty());
  for (const size_t count : {1UL, 2UL, 3UL, 7UL, 40UL}) {
    const std::vector<float> same(count * kWidth, 1.0F);
    const std::vector<Point2> places = tsne(same, count, {.num_iterations = 60});
    ASSERT_EQ(places.size(), count);
    for (const Point2& place : places)
      EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
  }
}

TEST(TsneCells, PushAsThePointsOneByOneWhereTheyAreNear) {
  Rng rng("7|cells");
  std::vector<Point2> points;
  for (int i = 0; i < 300; ++i) points.push_back({rng.gauss(), 3 * rng.gauss()});
  points.push_back(points.front());
  const TsneCells cells(points);
  for (const Point2& place : points) {
    TsneCells::Push exact{.weight = -1};
    for (const Point2& other : points) {
      const double dx = place.x - other.x, dy = place.y - other.y;
      const double kernel = 1 / (1 + dx * dx + dy * dy);
      exact.weight += kernel;
      exact.x += kernel * kernel * dx;
      exact.y += kernel * kernel * dy;
    }
    const TsneCells::Push all = cells.push(place, /*theta=*/0);
    EXPECT_NEAR(all.weight, exact.weight, 1e-9);
    EXPECT_NEAR(all.x, exact.x, 1e-9);
    const TsneCells::Push some = cells.push(place, /*theta=*/0.5);
    EXPECT_NEAR(some.weight, exact.weight, 0.05 * exact.weight);
  }
}

}  // namespace
}  // namespace snellen::stats
