// SPDX-License-Identifier: Apache-2.0
// A Result that nobody looks at hides an error.
// expect: ignoring return(ed)? value.*nodiscard
#include "snellen/base/error.h"

snellen::Result<int> half_of(int number);

int main() {
  half_of(4);
}
