// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace snellen::metrics::meteor {

inline constexpr size_t kNumModules = 4;  // exact, stem, synonym, paraphrase

// Words matched by one module, split into content and function words of hypothesis and reference.
struct ModuleCounts {
  double hypothesis_content = 0;
  double reference_content = 0;
  double hypothesis_function = 0;
  double reference_function = 0;
};

// What METEOR counts in one segment, or the sum over segments. Counts are whole numbers; doubles
// because that is how they are printed, read back and summed.
struct Statistics {
  double hypothesis_words = 0;
  double reference_words = 0;
  double hypothesis_function_words = 0;
  double reference_function_words = 0;
  std::array<ModuleCounts, kNumModules> modules;
  double chunks = 0;
  double hypothesis_matched = 0;
  double reference_matched = 0;

  static constexpr size_t kNumValues = 23;
  // In the order METEOR prints them.
  std::array<double, kNumValues> values() const;
  static Statistics of(const std::array<double, kNumValues>& values);
  // Both lines wholly matched in one chunk: such a segment is not fragmented at all.
  bool is_whole() const;
  // Sums, for the score of a system. A whole segment adds no chunk, as in the original.
  void add(const Statistics& other);
};

// "4.0 2.0 ...": 23 numbers as Java prints doubles.
void append_statistics(std::string& out, const Statistics& statistics);
// Reads at least 23 numbers separated by white space; nothing when there are fewer or one is not a
// number. What follows is not looked at, as in the original.
std::optional<Statistics> parse_statistics(std::string_view text);

struct Parameters {
  double alpha = 0.85;  // weight of recall in the mean
  double beta = 0.20;   // shape of the fragmentation penalty
  double gamma = 0.60;  // its height
  double delta = 0.75;  // weight of content words against function words
  std::array<double, kNumModules> weights = {1.0, 0.6, 0.8, 0.6};
};

// METEOR 1.5's English settings: rank, adq, hter, li, tune. Throws kUsage for another name.
Parameters parameters_of(std::string_view task);

// precision, recall: NaN when a line has no words. penalty: 0 when nothing matched. score: 0 when
// undefined, as in the original.
struct Score {
  double precision = 0;
  double recall = 0;
  double f_mean = 0;
  double penalty = 0;
  double score = 0;
};

// Evaluated in the original's order, so that scores are equal to the last digit and ties fall the
// same way.
Score score_of(const Statistics& statistics, const Parameters& parameters);

}  // namespace snellen::metrics::meteor
