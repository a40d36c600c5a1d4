// SPDX-License-Identifier: Apache-2.0
// How likely a language model finds a text, alone or after a picture.
#include <cmath>

#include "snellen/inference/backends/backends.h"
#include "snellen/metrics/choice/text_likelihood.h"

namespace snellen::inference {
namespace {

constexpr uint32_t kTextsPerJob = 64;

// -log of the perplexity (docs/spec/vilma.md 5.4), from what a language model says of each token.
double log_likelihood(std::span<const double> log_probabilities, bool is_compat) {
  std::span<const double> after_first = log_probabilities.subspan(1);
  return -std::log(is_compat ? metrics::perplexity_compat(after_first)
                             : metrics::perplexity(after_first));
}

// Models of text alone: what is shown does not matter. The row of a text is its score.
class LikelihoodBackend final : public Backend {
 public:
  explicit LikelihoodBackend(const NetworkParts& parts)
      : language_(*parts.network().language()), is_compat_(parts.is_compat) {}
  const BackendTraits& traits() const override { return traits_; }

  std::optional<Error> refuse(const models::TokenIds& tokens,
                              std::string_view text) const override {
    if (tokens.size() >= 2 || is_compat_) return std::nullopt;
    return Error{ErrorCode::kInvalidInput,
                 "a text of one token has no likelihood: nothing comes before it",
                 std::string(text),
                 "give a longer text"};
  }
  models::Matrix embed_texts(std::span<const models::TokenIds> texts) const override {
    models::Matrix rows{.num_rows = texts.size(), .num_columns = 1, .values = {}};
    for (const std::vector<double>& text : language_.log_probabilities(texts))
      rows.values.push_back(static_cast<float>(log_likelihood(text, is_compat_)));
    return rows;
  }
  double score(std::span<const float>, std::span<const float> text) const override {
    return text.front();
  }

 private:
  const models::LanguageModel& language_;
  bool is_compat_;
  BackendTraits traits_ = {.table = {.has_visuals = false},
                           .texts_per_job = kTextsPerJob,
                           .kind = questions::ScoreKind::kLogLikelihood};
};

class ShownLikelihoodBackend final : public Backend {
 public:
  explicit ShownLikelihoodBackend(const NetworkParts& parts)
      : language_(*parts.network().language()), is_compat_(parts.is_compat) {
    traits_ = {.table = {.has_visuals = true, .has_pairs = true},
               .visuals_per_job = 1,
               .pads_clips = !is_compat_,
               .kind = questions::ScoreKind::kLogLikelihood,
               .clip_kind = questions::ScoreKind::kLogLikelihood};
  }
  const BackendTraits& traits() const override { return traits_; }

  models::SeenImages see(const models::PixelsView& pixels) const override {
    return language_.see(pixels);
  }
  std::vector<double> match(const models::SeenImage& seen,
                            std::span<const models::TokenIds> texts) const override {
    std::vector<double> scores;
    for (const std::vector<double>& text : language_.log_probabilities(texts, &seen))
      scores.push_back(log_likelihood(text, is_compat_));
    return scores;
  }

 private:
  const models::LanguageModel& language_;
  bool is_compat_;
  BackendTraits traits_;
};

}  // namespace

std::unique_ptr<Backend> make_likelihood_backend(const NetworkParts& parts) {
  return std::make_unique<LikelihoodBackend>(parts);
}

std::unique_ptr<Backend> make_shown_likelihood_backend(const NetworkParts& parts) {
  return std::make_unique<ShownLikelihoodBackend>(parts);
}

}  // namespace snellen::inference
