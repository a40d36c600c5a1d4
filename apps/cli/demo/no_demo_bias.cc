// SPDX-License-Identifier: Apache-2.0
// Stands in for demo_bias.cc in a build without HTTP: nobody can be asked.
#include "apps/cli/demo/demo_bias.h"

namespace snellen::cli {

void add_bias(DemoSteps&, const std::filesystem::path&, const std::filesystem::path&, bool) {}

}  // namespace snellen::cli
