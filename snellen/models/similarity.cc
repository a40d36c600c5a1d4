// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

// Eight sums side by side: the compiler makes vectors of them, and the order of additions is fixed.
double dot(const float* a, const float* b, size_t count) {
  constexpr size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
  }
  double total =
      ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; i < count; ++i) total += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return total;
}

Matrix ready(Matrix rows, size_t num_vectors, const Similarity& similarity) {
  for (size_t i = 0; i < rows.num_rows; ++i) {
    make_ready(std::span(rows.values).subspan(i * rows.num_columns, rows.num_columns),
               num_vectors,
               similarity);
  }
  return rows;
}

}  // namespace

void make_ready(std::span<float> row, size_t num_vectors, const Similarity& similarity) {
  if (!similarity.is_cosine) return;
  SNELLEN_CHECK(num_vectors > 0 && row.size() % num_vectors == 0);
  size_t width = row.size() / num_vectors;
  for (size_t i = 0; i < num_vectors; ++i) {
    std::span<float> vector = row.subspan(i * width, width);
    double length = std::sqrt(dot(vector.data(), vector.data(), width));
    if (length == 0) continue;
    for (float& value : vector) value = static_cast<float>(value / length);
  }
}

double score_of(std::span<const float> image,
                std::span<const float> text,
                const Similarity& similarity) {
  double best = dot(image.data(), text.data(), text.size());
  for (size_t begin = text.size(); begin + text.size() <= image.size(); begin += text.size())
    best = std::max(best, dot(image.data() + begin, text.data(), text.size()));
  return similarity.scale * best + similarity.bias;
}

std::vector<double> direction_of(std::span<const float> row) {
  double squares = 0;
  for (const float x : row) squares += double{x} * double{x};
  std::vector<double> direction(row.begin(), row.end());
  for (double& x : direction) x /= std::sqrt(squares);
  return direction;
}

std::vector<double> mean_direction(const Matrix& rows) {
  std::vector<double> sum(rows.num_columns, 0);
  for (size_t i = 0; i < rows.num_rows; ++i) {
    const std::vector<double> direction = direction_of(rows.row(i));
    for (size_t j = 0; j < sum.size(); ++j) sum[j] += direction[j];
  }
  const double squares = std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0);
  if (!(squares > 0) || !std::isfinite(squares)) {
    throw Error{
        ErrorCode::kInvalidInput,
        "the prompts of a class have no direction: their embeddings are zero, not finite, or "
        "cancel out",
        "the model's text tower",
        "check the folder with snellen check"};
  }
  for (double& x : sum) x /= std::sqrt(squares);
  return sum;
}

Matrix score_all(const Matrix& images, const Matrix& texts, const Similarity& similarity) {
  SNELLEN_CHECK(images.num_columns == texts.num_columns * similarity.image_vectors);
  Matrix ready_images = ready(images, similarity.image_vectors, similarity);
  Matrix ready_texts = ready(texts, 1, similarity);
  Matrix scores{.num_rows = images.num_rows, .num_columns = texts.num_rows, .values = {}};
  scores.values.reserve(images.num_rows * texts.num_rows);
  for (size_t i = 0; i < images.num_rows; ++i) {
    for (size_t j = 0; j < texts.num_rows; ++j) {
      scores.values.push_back(
          static_cast<float>(score_of(ready_images.row(i), ready_texts.row(j), similarity)));
    }
  }
  return scores;
}

}  // namespace snellen::models
