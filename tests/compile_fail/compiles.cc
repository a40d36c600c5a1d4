// SPDX-License-Identifier: Apache-2.0
// Compiles: shows that the other files of this folder fail for their own reason.
#include "snellen/base/error.h"
#include "snellen/base/rng.h"

snellen::Result<int> half_of(int number);

int main() {
  snellen::Rng rng(5);
  const snellen::Result<int> half = half_of(4);
  return half ? *half + static_cast<int>(rng.below(2)) : 1;
}
