// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_answers.h"
#include "tests/golden_runner/bias_noise.h"
#include "tests/golden_runner/bias_served.h"
#include "tests/golden_runner/bias_stats.h"
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

std::vector<KnownFile> bias_files() {
  return {
      vector_file("vader.json", check_vader),
      vector_file("parse.json", check_parse),
      vector_file("close_aggregate.json", check_close_aggregate),
      vector_file("open_aggregate.json", check_open_aggregate),
      vector_file("control_ladder.json", check_control_ladder),
      vector_file("stats.json", check_bias_stats),
      vector_file("close_prompts.json", check_close_prompts),
      vector_file("noise_stats.json", check_noise_stats),
      vector_file("cache_mock.json", check_cache_mock),
  };
}

}  // namespace snellen::golden
