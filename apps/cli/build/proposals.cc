// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/proposals.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/build/word_server.h"
#include "apps/cli/text/language_folder.h"
#include "snellen/base/files.h"
#include "snellen/builders/vilma/rare_texts.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using annotations::RareActRow;

// Verbs whose object is said with one kind of article alone.
constexpr auto kSomeAlone =
    std::to_array<std::string_view>({"blend", "deseed", "drink", "measure"});
constexpr auto kOneAlone = std::to_array<std::string_view>({"shake", "spray", "unplug"});

bool is_in(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> articles_of(std::string_view verb) {
  if (is_in(kSomeAlone, verb)) return {"some"};
  if (is_in(kOneAlone, verb)) return {"a", "an"};
  return {"a", "an", "some"};
}

std::set<std::string> verbs_of(const std::vector<RareActRow>& rows) {
  std::set<std::string> verbs;
  for (const RareActRow& row : rows) verbs.insert(row.verb);
  return verbs;
}

// Nouns by verb, from "a person can cut a [MASK]."
Json masked_nouns(const LanguageFolder& model,
                  const std::string& name,
                  const std::vector<RareActRow>& rows,
                  const ProposalFlags& flags) {
  Json all = Json::object();
  BuildProgress progress;
  const std::set<std::string> verbs = verbs_of(rows);
  uint64_t done = 0;
  for (const std::string& verb : verbs) {
    Json list = Json::array();
    for (const std::string& article : articles_of(verb)) {
      const std::string sentence = fmt::format("a person can {} {} [MASK].", verb, article);
      for (const LanguageFolder::Word& word : model.fill_mask(sentence, flags.num_words)) {
        if (!(word.probability > flags.least_probability)) break;
        list.push_back(
            {{"noun", word.text},
             {"phrase", fmt::format("{} {}", article, word.text)},
             {"sequence", fmt::format("a person can {} {} {}.", verb, article, word.text)},
             {"score", word.probability},
             {"model", name}});
      }
    }
    all[verb] = std::move(list);
    progress.show("masked nouns", ++done, verbs.size());
  }
  return all;
}

// Verbs and nouns by pair of a verb and its noun.
Json served_words(WordServer& server, const std::vector<RareActRow>& rows) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const RareActRow& row : rows) pairs.emplace(row.verb, row.noun);
  Json all = Json::object();
  BuildProgress progress;
  for (const auto& [verb, noun] : pairs) {
    const std::string phrase = builders::vilma::noun_phrase(verb, noun);
    Json list = Json::array();
    for (const std::string& word : words_in(server.ask(
             fmt::format("A person can {} {}. What else can a person do with {}? Give {} different "
                         "verbs in their base form, one per line, and nothing else.",
                         verb,
                         phrase,
                         phrase,
                         kMostServedWords))))
      if (word != verb) list.push_back({{"verb", word}, {"model", server.name()}});
    for (const std::string& word : words_in(server.ask(
             fmt::format("A person can {} {}. What else can a person {}? Give {} different things "
                         "as nouns without an article, one per line, and nothing else.",
                         verb,
                         phrase,
                         verb,
                         kMostServedWords))))
      if (word != noun)
        list.push_back({{"noun", word},
                        {"phrase", builders::vilma::noun_phrase(verb, word)},
                        {"model", server.name()}});
    all[fmt::format("{} {}", verb, noun)] = std::move(list);
    progress.show("served words", all.size(), pairs.size());
  }
  return all;
}

}  // namespace

std::vector<config::Option> proposal_options() {
  using config::nested;
  using config::option;
  using S = ProposalFlags;
  return config::joined(
      {{option(&S::from,
               "candidates-from",
               "ask language models now: BERT folders with a masked-language-model head, or "
               "openai:NAME")
            .value("MODEL")},
       nested(
           &S::server,
           {option(&ServerFlags::base_url, "base-url", "of the server of openai:NAME").value("URL"),
            option(&ServerFlags::key_variable,
                   "api-key-env",
                   "variable of the environment that holds the key")}),
       {option(&S::num_words, "mask-words", "words that a masked model gives per sentence")
            .range(1, 100'000),
        option(&S::least_probability, "mask-least", "smallest probability of such a word")
            .range(0, 1),
        option(&S::nli_model,
               "nli-model",
               "BERT folder with a classification head, or openai:NAME; foils it calls entailment "
               "are left out")
            .value("MODEL"),
        option(&S::gruen_mlm,
               "gruen-mlm",
               "BERT folder with a masked-language-model head; with --gruen-cola: foils with a "
               "GRUEN below --gruen-least are left out")
            .value("DIR"),
        option(&S::gruen_cola,
               "gruen-cola",
               "BERT folder that classifies acceptability; class 1 is acceptable")
            .value("DIR"),
        option(&S::least_gruen, "gruen-least", "smallest GRUEN of a foil").range(0, 1)}});
}

void add_proposals(const Context& context,
                   const ProposalFlags& flags,
                   const fs::path& out,
                   builders::vilma::RareSources& sources) {
  if (flags.from.empty()) return;
  const std::vector<RareActRow> rows = annotations::read_rareact(sources.rareact).rows;
  size_t number = 0;
  for (const std::string& from : flags.from) {
    const fs::path file = out / fmt::format("candidates-{}.json", ++number);
    if (names_served_model(from)) {
      WordServer server(flags.server, from, out / "answers");
      write_text_file(file, served_words(server, rows).dump(1) + "\n");
      sources.candidates.push_back(file);
      continue;
    }
    const LanguageFolder model(context, from, LanguageFolder::Head::kTokens, "--candidates-from");
    const std::string name = fs::path(from).lexically_normal().filename().string();
    write_text_file(file, masked_nouns(model, name, rows, flags).dump(1) + "\n");
    sources.mlm_outputs.push_back(file);
  }
}

}  // namespace snellen::cli
