// SPDX-License-Identifier: Apache-2.0
// Wrong sentences of counting's proficiency pairs, from language models (docs/spec/vilma.md 7.4).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apps/cli/build/proposals.h"
#include "apps/cli/build/word_server.h"
#include "apps/cli/text/language_folder.h"
#include "snellen/base/ascii.h"
#include "snellen/builders/vilma/exercise_foils.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kServedSentences = 8;
// Pronouns and conjunctions.
constexpr auto kNoNouns = std::to_array<std::string_view>(
    {"it",   "him",   "her",  "them",  "me",    "you",     "us",        "he",         "she",
     "they", "this",  "that", "these", "those", "himself", "herself",   "themselves", "itself",
     "one",  "other", "and",  "or",    "but",   "so",      "something", "someone",    "what"});

using Propose = std::function<std::vector<std::string>(const std::string& caption)>;

// Each noun behind the subject exchanged for the likeliest words.
Propose masked_nouns(const Context& context, const std::string& from, const ProposalFlags& flags) {
  auto model = std::make_shared<const LanguageFolder>(
      context, from, LanguageFolder::Head::kTokens, "--candidates-from");
  return [model, count = flags.num_words, least = flags.least_probability](
             const std::string& caption) {
    std::vector<std::string> foils;
    for (const builders::vilma::WordGap& gap : builders::vilma::object_gaps(caption)) {
      for (const LanguageFolder::Word& word : model->fill_mask(gap.sentence, count)) {
        if (!(word.probability > least)) break;
        const std::string text = ascii_lower(word.text);
        if (text == ascii_lower(gap.word) ||
            std::find(kNoNouns.begin(), kNoNouns.end(), text) != kNoNouns.end())
          continue;
        std::string foil = gap.sentence;
        foil.replace(foil.find("[MASK]"), 6, word.text);
        foils.push_back(std::move(foil));
      }
    }
    return foils;
  };
}

// A served sentence as ViLMA's are: one sentence, its full stop as the caption's; empty where it is
// none.
std::string usable_sentence(std::string line, const std::string& caption) {
  if (line.ends_with('.')) line.pop_back();
  const bool is_one =
      line.find(' ') != std::string::npos && line.find_first_of(".!?:;\"()[]") == std::string::npos;
  if (!is_one) return {};
  const bool is_lower = !caption.empty() && caption[0] >= 'a' && caption[0] <= 'z';
  if (is_lower) line[0] = ascii_lower(line.substr(0, 1))[0];
  return caption.ends_with('.') ? line + "." : line;
}

Propose served_sentences(const std::string& from, const ProposalFlags& flags, const fs::path& out) {
  auto server = std::make_shared<WordServer>(flags.server, from, out / "answers");
  return [server](const std::string& caption) {
    std::vector<std::string> foils;
    for (const std::string& line : lines_in(server->ask(
             fmt::format("A sentence about a video: {}\nWrite {} sentences that say of the same "
                         "subject, \"{}\", that another action is done or that it is done with "
                         "other things, so that they are wrong about the video. Each as short as "
                         "that sentence, one per line, and nothing else.",
                         caption,
                         kServedSentences,
                         builders::vilma::first_noun_phrase(caption))))) {
      if (std::string one = usable_sentence(line, caption); !one.empty())
        foils.push_back(std::move(one));
    }
    return foils;
  };
}

}  // namespace

Propose counting_proposals(const Context& context,
                           const ProposalFlags& flags,
                           const fs::path& out) {
  if (flags.from.empty()) return {};
  std::vector<Propose> all;
  for (const std::string& from : flags.from)
    all.push_back(names_served_model(from) ? served_sentences(from, flags, out)
                                           : masked_nouns(context, from, flags));
  return [all](const std::string& caption) {
    std::vector<std::string> foils;
    for (const Propose& one : all)
      for (std::string& foil : one(caption)) foils.push_back(std::move(foil));
    return foils;
  };
}

}  // namespace snellen::cli
