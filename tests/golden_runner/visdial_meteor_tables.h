// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "snellen/metrics/text/meteor/meteor.h"
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

inline constexpr const char* kMeteorVariable = "SNELLEN_METEOR_DATA";
inline constexpr const char* kNoMeteorLexicon =
    "no synset tables (SNELLEN_METEOR_DATA, SNELLEN_DATA/meteor or Debian's wordnet-base)";

struct MeteorTables {
  std::shared_ptr<text::meteor::MeteorData> without;  // synsets only; null when there are none
  std::shared_ptr<text::meteor::MeteorData>
      with;  // and the paraphrase table; null when there is none
};

// What SNELLEN_METEOR_DATA names; empty when it is not set.
std::filesystem::path named_meteor_folder();
// Found as the program finds METEOR's tables, with Debian's WordNet where METEOR's own are not
// there.
MeteorTables load_meteor_tables(bool wants_paraphrases);

std::string statistics_text(const metrics::meteor::Statistics& statistics);
std::string java_double(double x);

// The `gens` part of meteor_paraphrase.json.
void check_gens_with_table(const Json& want,
                           const MeteorTables& tables,
                           const Context& context,
                           Tally& tally);

}  // namespace snellen::golden
