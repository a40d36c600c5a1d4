// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

std::vector<KnownFile> vilma_files() {
  return {pending_file("cases.json"),
          pending_file("suite.json"),
          pending_file("errors.json"),
          pending_file("unit.json"),
          companion("results/")};
}

}  // namespace snellen::golden
