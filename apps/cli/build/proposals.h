// SPDX-License-Identifier: Apache-2.0
// Foils that language models propose and judge while a ViLMA set is built (docs/spec/vilma.md 7.4,
// 7.6, 7.7): flags that the builders share, and what each of them asks for.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "apps/cli/build/word_server.h"
#include "apps/cli/verb.h"
#include "snellen/annotations/vilma/rareact.h"
#include "snellen/builders/vilma/change_state_build.h"
#include "snellen/builders/vilma/counting_build.h"
#include "snellen/builders/vilma/rare_build.h"

namespace snellen::cli {

struct ProposalFlags {
  std::vector<std::string> from;  // folders of masked language models, or openai:NAME
  ServerFlags server;
  size_t num_words = 256;
  double least_probability = 0.01;
  std::string nli_model;  // folder, or openai:NAME
  std::string gruen_mlm;  // folders
  std::string gruen_cola;
  double least_gruen = 0.8;
};
std::vector<config::Option> proposal_options();

// Rare actions: asks each model in turn and writes OUT/candidates-1.json and so on, which are added
// to the sources. A server gives verbs and nouns, a masked model nouns.
void add_proposals(const Context& context,
                   const ProposalFlags& flags,
                   const std::filesystem::path& out,
                   builders::vilma::RareSources& sources);

// Counting: what gives wrong sentences for one without its count. A masked model exchanges nouns
// behind the subject, a server writes sentences. None where no model is named.
std::function<std::vector<std::string>(const std::string& caption)> counting_proposals(
    const Context& context, const ProposalFlags& flags, const std::filesystem::path& out);

// Change of state: other nouns for each item's object in OUT/candidates-1.json, which is returned.
std::filesystem::path state_candidates(const Context& context,
                                       const ProposalFlags& flags,
                                       const std::filesystem::path& data,
                                       const builders::vilma::StateTextOptions& options,
                                       const std::filesystem::path& out);

// The models that look at foils; none where none is named. Answers of a server are kept in
// OUT/answers. Throws kUsage for folders that do not fit.
builders::vilma::FoilJudges judges_of(const Context& context,
                                      const ProposalFlags& flags,
                                      const std::filesystem::path& out);

}  // namespace snellen::cli
