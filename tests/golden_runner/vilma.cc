// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/vilma_checks.h"

namespace snellen::golden {

std::vector<KnownFile> vilma_files() {
  return {vector_file("cases.json", check_vilma_cases),
          vector_file("suite.json", check_vilma_suite),
          vector_file("errors.json", check_vilma_errors),
          vector_file("unit.json", check_vilma_unit),
          companion("results/")};
}

}  // namespace snellen::golden
