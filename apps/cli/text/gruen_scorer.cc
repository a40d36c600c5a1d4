// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/text/gruen_scorer.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/error.h"
#include "snellen/metrics/text/gruen.h"
#include "snellen/text/words/sentences.h"

namespace snellen::cli {
namespace {

// Sentences of more than one word.
std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  for (const std::string_view one : text::split_sentences(text)) {
    const size_t blank = one.find_first_of(" \t", one.find_first_not_of(" \t"));
    const bool has_two =
        blank != std::string_view::npos && one.find_first_not_of(" \t", blank) < one.size();
    if (has_two) sentences.emplace_back(one);
  }
  return sentences;
}

}  // namespace

GruenScorer::GruenScorer(const Context& context,
                         const std::string& mlm,
                         const std::string& mlm_flag,
                         const std::string& cola,
                         const std::string& cola_flag)
    : mlm_(context, mlm, LanguageFolder::Head::kTokens, mlm_flag),
      cola_(context, cola, LanguageFolder::Head::kClasses, cola_flag) {
  if (cola_.num_classes() < 2)
    throw Error{ErrorCode::kUsage, "has one class, expected two or more", cola_flag};
}

Gruen GruenScorer::score(const std::string& text) const {
  const std::vector<std::string> sentences = sentences_of(text);
  if (sentences.empty()) return {.total = 0};
  double perplexity = 0, acceptable = 0;
  for (const std::string& one : sentences) {
    perplexity += mlm_.perplexity(one);
    acceptable += cola_.class_logit(one, 1);
  }
  const auto count = static_cast<double>(sentences.size());
  Gruen gruen;
  gruen.grammaticality = metrics::gruen_grammaticality(perplexity / count, acceptable / count);
  gruen.redundancy = metrics::gruen_redundancy(sentences).score;
  gruen.total = sentences.size() == 1
                    ? std::clamp(gruen.grammaticality + gruen.redundancy, 0.0, 1.0)
                    : std::nan("");
  return gruen;
}

}  // namespace snellen::cli
