// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_stats.h"
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

std::vector<KnownFile> bias_files() {
  return {
      pending_file("vader.json"),
      pending_file("parse.json"),
      pending_file("close_aggregate.json"),
      pending_file("open_aggregate.json"),
      pending_file("control_ladder.json"),
      vector_file("stats.json", check_bias_stats),
      pending_file("close_prompts.json"),
      pending_file("noise_stats.json"),
      pending_file("cache_mock.json"),
  };
}

}  // namespace snellen::golden
