// SPDX-License-Identifier: Apache-2.0
// Other nouns for the objects of changes, from language models (docs/spec/vilma.md 7.7).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/build/proposals.h"
#include "apps/cli/build/word_server.h"
#include "apps/cli/text/language_folder.h"
#include "snellen/base/ascii.h"
#include "snellen/base/files.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using builders::vilma::StateGap;

// Adds one model's nouns to the lists of the items.
void add_masked(const Context& context,
                const std::string& from,
                const ProposalFlags& flags,
                const std::vector<StateGap>& gaps,
                Json& lists) {
  const LanguageFolder model(context, from, LanguageFolder::Head::kTokens, "--candidates-from");
  const std::string name = fs::path(from).lexically_normal().filename().string();
  BuildProgress progress;
  uint64_t done = 0;
  for (const StateGap& gap : gaps) {
    // One more than wanted: the word itself is often among them.
    size_t num_left = flags.num_words;
    for (const LanguageFolder::Word& word : model.fill_mask(gap.sentence, flags.num_words + 1)) {
      if (!(word.probability > flags.least_probability) || num_left == 0) break;
      if (ascii_lower(word.text) == ascii_lower(gap.word)) continue;
      lists[gap.id].push_back({{"noun", word.text}, {"score", word.probability}, {"model", name}});
      --num_left;
    }
    progress.show("masked nouns", ++done, gaps.size());
  }
}

void add_served(WordServer& server, const std::vector<StateGap>& gaps, Json& lists) {
  BuildProgress progress;
  uint64_t done = 0;
  for (const StateGap& gap : gaps) {
    const std::string answer = server.ask(
        fmt::format("A sentence: {}\nWhich other things could stand for \"{}\" there, so that it "
                    "says something else? Give {} nouns without an article, one per line, and "
                    "nothing else.",
                    gap.caption,
                    gap.word,
                    kMostServedWords));
    for (const std::string& word : words_in(answer))
      if (word != ascii_lower(gap.word))
        lists[gap.id].push_back({{"noun", word}, {"model", server.name()}});
    progress.show("served words", ++done, gaps.size());
  }
}

}  // namespace

fs::path state_candidates(const Context& context,
                          const ProposalFlags& flags,
                          const fs::path& data,
                          const builders::vilma::StateTextOptions& options,
                          const fs::path& out) {
  const std::vector<StateGap> gaps = builders::vilma::state_gaps(data, options);
  Json lists = Json::object();
  for (const std::string& from : flags.from) {
    if (names_served_model(from)) {
      WordServer server(flags.server, from, out / "answers");
      add_served(server, gaps, lists);
    } else {
      add_masked(context, from, flags, gaps, lists);
    }
  }
  const fs::path file = out / "candidates-1.json";
  write_text_file(file, lists.dump(1) + "\n");
  return file;
}

}  // namespace snellen::cli
