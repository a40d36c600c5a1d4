// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "snellen/annotations/vilma/foil_candidates.h"
#include "snellen/annotations/vilma/label_lists.h"
#include "snellen/annotations/vilma/rareact.h"
#include "snellen/builders/building.h"
#include "snellen/builders/vilma/mlm_ensemble.h"

namespace snellen::builders::vilma {

struct RareSources {
  std::filesystem::path rareact;                   // rareact.csv
  std::vector<std::filesystem::path> candidates;   // words of a language model, NLI labels beside
  std::vector<std::filesystem::path> mlm_outputs;  // of several masked models, to be merged
  std::filesystem::path video_dir;                 // rows count only if their video is there
  std::filesystem::path detections;                // row id -> labels seen in the clip
};

// What is exchanged.
enum class RareTarget { kVerb, kNoun };

// Candidates of all files in one place. Entailed ones are left out.
class RareCandidates {
 public:
  RareCandidates(const RareSources& sources,
                 const EnsembleOptions& options,
                 builders::BadRecords& bad);

  // Of a verb and its noun; else, for nouns, of the verb, and for verbs, of the noun. Of "move" and
  // "weigh" anything can be the object: the other nouns of the data set, where no file says more.
  std::vector<annotations::FoilCandidate> of(RareTarget target,
                                             const annotations::RareActRow& row,
                                             const std::vector<std::string>& nouns) const;
  bool has(RareTarget target) const;
  // What became of the masked models' outputs, by verb in their order.
  const std::vector<std::pair<std::string, std::vector<EnsembleCandidate>>>& merged() const {
    return merged_;
  }

 private:
  using Lists = std::map<std::string, std::vector<annotations::FoilCandidate>, std::less<>>;

  void add(const std::string& key, const annotations::FoilCandidate& candidate);
  const Lists& lists(RareTarget target) const {
    return target == RareTarget::kVerb ? verbs_ : nouns_;
  }

  Lists verbs_;
  Lists nouns_;
  std::vector<std::pair<std::string, std::vector<EnsembleCandidate>>> merged_;
};

// The rows that show their action and, where a folder is named, have their video.
std::vector<annotations::RareActRow> available_rows(const RareSources& sources,
                                                    builders::BadRecords& bad);

}  // namespace snellen::builders::vilma
