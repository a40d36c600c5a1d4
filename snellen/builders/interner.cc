// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/interner.h"

#include <algorithm>
#include <numeric>

namespace snellen::builders {

std::vector<uint32_t> Interner::sorted() const {
  std::vector<uint32_t> numbers(texts_.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::sort(numbers.begin(), numbers.end(), [&](uint32_t a, uint32_t b) {
    return *texts_[a] < *texts_[b];
  });
  return numbers;
}

}  // namespace snellen::builders
