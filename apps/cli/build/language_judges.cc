// SPDX-License-Identifier: Apache-2.0
// What language models say of foils: NLI labels and GRUEN (docs/spec/vilma.md 7.4d).
#include <array>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "apps/cli/build/proposals.h"
#include "apps/cli/build/word_server.h"
#include "apps/cli/text/gruen_scorer.h"
#include "snellen/base/ascii.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using builders::vilma::FoilJudges;

// A value for each text, worked out once. Safe from many threads.
template <typename Value>
class ByText {
 public:
  explicit ByText(std::function<Value(const std::string&)> make) : make_(std::move(make)) {}

  Value of(const std::string& text) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = known_.find(text);
      if (found != known_.end()) return found->second;
    }
    Value made = make_(text);
    const std::lock_guard lock(mutex_);
    return known_.emplace(text, std::move(made)).first->second;
  }

 private:
  std::function<Value(const std::string&)> make_;
  std::mutex mutex_;  // guards known_
  std::map<std::string, Value> known_;
};

std::string_view without_stop(std::string_view text) {
  while (text.ends_with('.') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The label that an answer names first.
FoilJudges::Label label_in(std::string_view answer) {
  constexpr auto kLabels =
      std::to_array<std::string_view>({"entailment", "neutral", "contradiction"});
  const std::string lower = ascii_lower(answer);
  size_t first = std::string::npos;
  FoilJudges::Label label{std::string(builders::vilma::kUnreadableLabel), 0};
  for (const std::string_view one : kLabels) {
    const size_t at = lower.find(one);
    if (at >= first) continue;
    first = at;
    label = {std::string(one), 1};
  }
  return label;
}

void set_nli(const Context& context,
             const ProposalFlags& flags,
             const fs::path& out,
             FoilJudges& judges) {
  if (names_served_model(flags.nli_model)) {
    auto server = std::make_shared<WordServer>(flags.server, flags.nli_model, out / "answers");
    judges.nli_model = flags.nli_model;
    judges.nli = [server](const std::string& caption, const std::string& foil) {
      return label_in(server->ask(
          fmt::format("Premise: {}.\nHypothesis: {}.\nIs the relation of the hypothesis to the "
                      "premise entailment, neutral or contradiction? Answer with one of these "
                      "words, and nothing else.",
                      without_stop(caption),
                      without_stop(foil))));
    };
    return;
  }
  auto model = std::make_shared<LanguageFolder>(
      context, flags.nli_model, LanguageFolder::Head::kClasses, "--nli-model");
  auto known = std::make_shared<ByText<FoilJudges::Label>>([model](const std::string& text) {
    const LanguageFolder::Class said = model->classify(text);
    return FoilJudges::Label{said.name, said.probability};
  });
  judges.nli_model = fs::path(flags.nli_model).lexically_normal().string();
  judges.nli = [known](const std::string& caption, const std::string& foil) {
    return known->of(fmt::format("{}. {}.", without_stop(caption), without_stop(foil)));
  };
}

}  // namespace

FoilJudges judges_of(const Context& context, const ProposalFlags& flags, const fs::path& out) {
  FoilJudges judges;
  if (flags.gruen_mlm.empty() != flags.gruen_cola.empty())
    throw Error{ErrorCode::kUsage,
                "GRUEN takes two models",
                flags.gruen_mlm.empty() ? "--gruen-mlm" : "--gruen-cola",
                "name a masked language model and a classifier of acceptability"};
  if (!flags.nli_model.empty()) set_nli(context, flags, out, judges);
  if (flags.gruen_mlm.empty()) return judges;
  auto scorer = std::make_shared<const GruenScorer>(
      context, flags.gruen_mlm, "--gruen-mlm", flags.gruen_cola, "--gruen-cola");
  auto known = std::make_shared<ByText<double>>(
      [scorer](const std::string& text) { return scorer->score(text).total; });
  judges.gruen = [known](const std::string& foil) { return known->of(foil); };
  judges.least_gruen = flags.least_gruen;
  judges.gruen_models = fmt::format("{}\n{}",
                                    fs::path(flags.gruen_mlm).lexically_normal().string(),
                                    fs::path(flags.gruen_cola).lexically_normal().string());
  return judges;
}

}  // namespace snellen::cli
