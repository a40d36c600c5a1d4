// SPDX-License-Identifier: Apache-2.0
// A number does not become a random stream unless somebody says so.
// expect: could not convert|no viable conversion|conversion from .int. to non-scalar type
#include "snellen/base/rng.h"

uint64_t draw(snellen::Rng rng) {
  return rng.next();
}

int main() {
  return static_cast<int>(draw(5));
}
