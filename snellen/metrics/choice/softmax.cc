// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/softmax.h"

#include <algorithm>
#include <cmath>

namespace snellen::metrics {
namespace {

template <typename T>
std::vector<T> softmax_as(std::span<const double> logits) {
  std::vector<T> shares;
  if (logits.empty()) return shares;
  shares.reserve(logits.size());
  T highest = static_cast<T>(*std::max_element(logits.begin(), logits.end()));
  T sum = 0;
  for (double logit : logits) {
    shares.push_back(std::exp(static_cast<T>(logit) - highest));
    sum += shares.back();
  }
  for (T& share : shares) share /= sum;
  return shares;
}

}  // namespace

std::vector<double> softmax(std::span<const double> logits) {
  return softmax_as<double>(logits);
}

std::vector<float> softmax_float(std::span<const double> logits) {
  return softmax_as<float>(logits);
}

}  // namespace snellen::metrics
