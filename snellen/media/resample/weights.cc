// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/weights.h"

#include <algorithm>
#include <cmath>

namespace snellen::media {

Weights::Weights(const Axis& axis, Filter filter) {
  const double scale = static_cast<double>(static_cast<float>(axis.in_size)) / axis.out_size;
  const double filter_scale = std::max(scale, 1.0);
  const double support = support_of(filter) * filter_scale;
  const size_t longest =
      std::min(static_cast<size_t>(std::ceil(support)) * 2 + 1, static_cast<size_t>(axis.in_size));
  max_taps_ = (longest + 3) / 4 * 4;
  const size_t num_outputs = static_cast<size_t>(axis.count);
  starts_.resize(num_outputs);
  counts_.resize(num_outputs);
  values_.resize(num_outputs * max_taps_);
  std::vector<double> exact(max_taps_);
  for (size_t i = 0; i < num_outputs; ++i) {
    const double center = (axis.first + static_cast<int>(i) + 0.5) * scale;
    const double step = 1.0 / filter_scale;
    const int begin = std::max(static_cast<int>(center - support + 0.5), 0);
    const int end = std::min(static_cast<int>(center + support + 0.5), axis.in_size);
    const size_t count = static_cast<size_t>(std::max(end - begin, 0));
    double sum = 0.0;
    for (size_t t = 0; t < count; ++t) {
      exact[t] = weight_of(filter, (static_cast<int>(t) + begin - center + 0.5) * step);
      sum += exact[t];
    }
    int32_t* taps = values_.data() + max_taps_ * i;
    for (size_t t = 0; t < count; ++t) {
      const double weight = sum != 0.0 ? exact[t] / sum : exact[t];
      taps[t] = static_cast<int32_t>((weight < 0 ? -0.5 : 0.5) + weight * (1 << kWeightBits));
    }
    starts_[i] = begin;
    counts_[i] = static_cast<int32_t>(count);
  }
}

int Weights::first_input() const {
  return starts_.front();
}

int Weights::end_input() const {
  return starts_.back() + counts_.back();
}

void Weights::shift(int offset) {
  for (int32_t& start : starts_) start -= offset;
}

}  // namespace snellen::media
