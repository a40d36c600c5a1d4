// SPDX-License-Identifier: Apache-2.0
// Words that a language model proposed as foils, in the files of ViLMA's rare actions
// (docs/spec/vilma.md 7.6): key -> list of candidates. The key is a verb ("cut") or a verb and its
// noun
// ("cut book").
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::annotations {

struct FoilCandidate {
  std::string verb = {};                 // of a verb candidate: "drink from"; else empty
  std::string noun = {};                 // of a noun candidate: "carrot"; else empty
  std::string phrase = {};               // "a carrot"; empty when the file has none
  std::string sequence = {};             // the whole sentence, where there is one
  std::string model = {};                // who proposed it
  std::optional<double> score = {};      // the model's, or of the NLI label where there is one
  std::optional<double> mlm_score = {};  // of an ensemble
  std::string label = {};  // of NLI: "neutral", "contradiction", "entailment"; or empty
};

struct FoilCandidates {
  std::map<std::string, std::vector<FoilCandidate>, std::less<>>
      lists;                      // as they stand in the file
  std::vector<std::string> keys;  // in file order
  std::vector<Error> bad_records;
};

// A candidate has "verb", or "noun" with "phrase" or "noun_phrase"; scores are finite numbers or
// null. Throws kNotFound, or kInvalidInput for a file that is not one JSON object of lists.
FoilCandidates read_foil_candidates(const std::filesystem::path& path);

}  // namespace snellen::annotations
