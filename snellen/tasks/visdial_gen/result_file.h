// SPDX-License-Identifier: Apache-2.0
// visdial_eval.json (docs/spec/visdial.md 3.6): mean, population standard deviation and count of
// every metric, then every entry.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/metrics/text/visdial_metrics.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::visdial_gen {

inline constexpr const char* kResultFile = "visdial_eval.json";
inline constexpr const char* kGenerationsFile = "gens.json";
inline constexpr const char* kGenerations =
    "generations";  // the name of a model's answers among an item's stored values

// What an entry came to, as a stored outcome and back. The counts go into its named values.
Outcome outcome_of(const metrics::VisdialEntry& entry);
metrics::VisdialEntry entry_of(const Outcome& outcome);

struct ResultHeader {
  std::vector<std::string> columns;
  std::string settings_json;                    // an object
  std::optional<NamedValue> meteor_paraphrase;  // false, or the table's SHA-256; METEOR alone
  std::vector<std::string> warnings;            // those known before anything was scored
};

// Writes the file in two passes over the stored outcomes and bounded memory; gives the summary it
// holds. Means are taken as those of results.json are, so the two agree to the last digit.
metrics::VisdialSummary write_result_file(const std::filesystem::path& path,
                                          const ResultHeader& header,
                                          OutcomeReader& outcomes);

// gens.json (docs/spec/visdial.md 2.1) from stored outcomes that hold a model's answers, for `score
// visdial-gen --generations`. An item without any answer has the empty text.
void write_generations(const std::filesystem::path& path, OutcomeReader& outcomes);

struct ReadResult {
  metrics::VisdialSummary summary;
  std::vector<std::string> warnings;
};
// Throws kNotFound or kInvalidInput.
ReadResult read_result_file(const std::filesystem::path& path);

}  // namespace snellen::tasks::visdial_gen
