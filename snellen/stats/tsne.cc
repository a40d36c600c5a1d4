// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/tsne.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/tsne_cells.h"

namespace snellen::stats {
namespace {

// As the published implementations have them.
constexpr double kExaggeration = 12;
constexpr int kExaggerated = 250;  // iterations
constexpr double kLeastRate = 50, kLeastGain = 0.01;
constexpr double kFirstSpread = 1e-4;
// Below, starting threads for a step takes longer than the step.
constexpr size_t kRowsForThreads = 3000;

// Who is near whom, and how near: symmetric, row by row.
struct Affinities {
  std::vector<size_t> begins;  // of each row, and the end of the last
  std::vector<uint32_t> others;
  std::vector<double> values;  // sum 1
};

double squared_distance(const float* a, const float* b, size_t width) {
  // Sums side by side, which the processor adds at once.
  constexpr size_t kLanes = 16;
  std::array<float, kLanes> sums = {};
  size_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float apart = a[i + lane] - b[i + lane];
      sums[lane] += apart * apart;
    }
  }
  double sum = 0;
  for (const float one : sums) sum += static_cast<double>(one);
  for (; i < width; ++i) {
    const double apart = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += apart * apart;
  }
  return sum;
}

// The width of the bell over these distances whose entropy is that of `perplexity` equal choices;
// gives the shares.
std::vector<double> shares_of(std::span<const double> distances, double perplexity) {
  const double wanted = std::log(perplexity);
  const double nearest = *std::min_element(distances.begin(), distances.end());
  std::vector<double> shares(distances.size());
  double beta = 1, low = 0, high = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 100; ++turn) {
    double sum = 0, weighted = 0;
    for (size_t i = 0; i < distances.size(); ++i) {
      shares[i] = std::exp(-beta * (distances[i] - nearest));
      sum += shares[i];
      weighted += shares[i] * (distances[i] - nearest);
    }
    const double entropy = std::log(sum) + beta * weighted / sum;
    for (double& share : shares) share /= sum;
    if (std::abs(entropy - wanted) < 1e-5) break;
    if (entropy > wanted) {
      low = beta;
      beta = std::isinf(high) ? beta * 2 : (beta + high) / 2;
    } else {
      high = beta;
      beta = (beta + low) / 2;
    }
  }
  return shares;
}

// The nearest `count` rows of each, with their shares.
struct Neighbours {
  size_t count = 0;
  std::vector<uint32_t> others = {};  // [rows, count]
  std::vector<double> shares = {};
};

Neighbours neighbours_of(std::span<const float> values,
                         size_t num_rows,
                         const TsneOptions& options) {
  const size_t width = values.size() / num_rows;
  const double perplexity = std::min(options.perplexity, static_cast<double>(num_rows - 1) / 3.0);
  Neighbours all{.count = std::min(num_rows - 1, static_cast<size_t>(3 * options.perplexity))};
  all.others.resize(num_rows * all.count);
  all.shares.resize(num_rows * all.count);
  for_ranges(num_rows, options.num_threads, [&](uint64_t first, uint64_t last) {
    std::vector<double> distances(num_rows);
    std::vector<uint32_t> order(num_rows);
    for (uint64_t row = first; row < last; ++row) {
      for (size_t other = 0; other < num_rows; ++other)
        distances[other] = squared_distance(&values[row * width], &values[other * width], width);
      distances[row] = std::numeric_limits<double>::infinity();
      std::iota(order.begin(), order.end(), 0U);
      auto is_nearer = [&](uint32_t a, uint32_t b) {
        return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
      };
      std::partial_sort(
          order.begin(), order.begin() + static_cast<ptrdiff_t>(all.count), order.end(), is_nearer);
      std::vector<double> near;
      for (size_t i = 0; i < all.count; ++i) near.push_back(distances[order[i]]);
      const std::vector<double> shares = shares_of(near, std::max(perplexity, 1.0));
      for (size_t i = 0; i < all.count; ++i) {
        all.others[row * all.count + i] = order[i];
        all.shares[row * all.count + i] = shares[i];
      }
    }
  });
  return all;
}

Affinities symmetric(const Neighbours& near, size_t num_rows) {
  struct Entry {
    uint32_t row, other;
    double value;
  };
  std::vector<Entry> entries;
  entries.reserve(2 * near.others.size());
  const double scale = 1 / (2.0 * static_cast<double>(num_rows));
  for (uint32_t row = 0; row < num_rows; ++row) {
    for (size_t i = row * near.count; i < (row + 1) * near.count; ++i) {
      entries.push_back({row, near.others[i], near.shares[i] * scale});
      entries.push_back({near.others[i], row, near.shares[i] * scale});
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.other < b.other;
  });
  Affinities all;
  all.begins.push_back(0);
  for (size_t i = 0; i < entries.size(); ++i) {
    while (all.begins.size() <= entries[i].row) all.begins.push_back(all.others.size());
    if (i > 0 && entries[i].row == entries[i - 1].row && entries[i].other == entries[i - 1].other) {
      all.values.back() += entries[i].value;
    } else {
      all.others.push_back(entries[i].other);
      all.values.push_back(entries[i].value);
    }
  }
  while (all.begins.size() <= num_rows) all.begins.push_back(all.others.size());
  return all;
}

// One step downhill after the other.
class Descent {
 public:
  Descent(Affinities affinities, size_t num_rows, const TsneOptions& options)
      : affinities_(std::move(affinities)),
        options_(options),
        num_threads_(num_rows < kRowsForThreads ? 1 : options.num_threads),
        rate_(std::max(static_cast<double>(num_rows) / kExaggeration / 4, kLeastRate)),
        places_(num_rows),
        slopes_(num_rows),
        speeds_(num_rows),
        gains_(num_rows, Point2{1, 1}) {
    Rng rng(fmt::format("{}|tsne", options.seed));
    for (Point2& place : places_) {
      place.x = kFirstSpread * rng.gauss();
      place.y = kFirstSpread * rng.gauss();
    }
  }

  std::vector<Point2> run() {
    for (int i = 0; i < options_.num_iterations; ++i) {
      const bool is_early = i < std::min(kExaggerated, options_.num_iterations / 2);
      find_slopes(is_early ? kExaggeration : 1);
      move(is_early ? 0.5 : 0.8);
    }
    return std::move(places_);
  }

 private:
  void find_slopes(double exaggeration) {
    const TsneCells cells(places_);
    std::vector<TsneCells::Push> pushes(places_.size());
    for_ranges(places_.size(), num_threads_, [&](uint64_t first, uint64_t last) {
      for (uint64_t i = first; i < last; ++i) pushes[i] = cells.push(places_[i], options_.theta);
    });
    double sum = 0;
    for (const TsneCells::Push& one : pushes) sum += one.weight;
    sum = std::max(sum, std::numeric_limits<double>::min());
    for_ranges(places_.size(), num_threads_, [&](uint64_t first, uint64_t last) {
      for (uint64_t i = first; i < last; ++i) {
        Point2 pull;
        for (size_t k = affinities_.begins[i]; k < affinities_.begins[i + 1]; ++k) {
          const Point2& other = places_[affinities_.others[k]];
          const double dx = places_[i].x - other.x, dy = places_[i].y - other.y;
          const double force = exaggeration * affinities_.values[k] / (1 + dx * dx + dy * dy);
          pull.x += force * dx;
          pull.y += force * dy;
        }
        slopes_[i] = {4 * (pull.x - pushes[i].x / sum), 4 * (pull.y - pushes[i].y / sum)};
      }
    });
  }

  void move(double momentum) {
    auto step = [&](double slope, double& speed, double& gain, double& place) {
      gain = (slope > 0) != (speed > 0) ? gain + 0.2 : std::max(gain * 0.8, kLeastGain);
      speed = momentum * speed - rate_ * gain * slope;
      place += speed;
    };
    Point2 middle;
    for (size_t i = 0; i < places_.size(); ++i) {
      step(slopes_[i].x, speeds_[i].x, gains_[i].x, places_[i].x);
      step(slopes_[i].y, speeds_[i].y, gains_[i].y, places_[i].y);
      middle.x += places_[i].x;
      middle.y += places_[i].y;
    }
    const auto count = static_cast<double>(places_.size());
    for (Point2& place : places_) {
      place.x -= middle.x / count;
      place.y -= middle.y / count;
    }
  }

  Affinities affinities_;
  const TsneOptions options_;
  const unsigned num_threads_;
  const double rate_;
  std::vector<Point2> places_, slopes_, speeds_, gains_;
};

}  // namespace

std::vector<Point2> tsne(std::span<const float> values,
                         size_t num_rows,
                         const TsneOptions& options) {
  if (num_rows == 0) return {};
  SNELLEN_CHECK(values.size() % num_rows == 0 && num_rows < (size_t{1} << 31));
  if (num_rows == 1) return {Point2{}};
  return Descent(symmetric(neighbours_of(values, num_rows, options), num_rows), num_rows, options)
      .run();
}

}  // namespace snellen::stats
