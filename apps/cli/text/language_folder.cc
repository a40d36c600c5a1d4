// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/text/language_folder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "apps/cli/run/networks.h"
#include "snellen/base/ascii.h"
#include "snellen/models/checkpoint/checkpoint.h"

namespace snellen::cli {
namespace {

constexpr std::string_view kMask = "[MASK]";
constexpr size_t kMostTokens = 512;

bool is_word(std::string_view piece) {
  return !piece.empty() && std::all_of(piece.begin(), piece.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  }) && piece.front() != '-';
}

std::unique_ptr<const models::Network> load(const Context& context,
                                            const models::NetworkModule& module,
                                            const std::filesystem::path& folder) {
  const models::Checkpoint checkpoint(model_folder(context, folder.string()),
                                      models::Layout::kAuto);
  return module.architecture_of(checkpoint).load(checkpoint, {});
}

}  // namespace

LanguageFolder::LanguageFolder(const Context& context,
                               const std::filesystem::path& folder,
                               Head head,
                               const std::string& flag)
    : module_(open_network_module(context)),
      network_(load(context, module_, folder)),
      tokenizer_(open_tokenizer(context, folder)) {
  heads_ = dynamic_cast<const models::TextHeads*>(network_->encoder());
  const bool has_head = heads_ != nullptr && (head == Head::kTokens ? heads_->predicts_tokens()
                                                                    : !heads_->classes().empty());
  if (has_head) return;
  throw Error{ErrorCode::kUsage,
              fmt::format("{} has no {}",
                          folder.string(),
                          head == Head::kTokens ? "head of a masked language model"
                                                : "classification head"),
              flag,
              head == Head::kTokens ? "name a BERT folder with cls.predictions (BertForMaskedLM)"
                                    : "name a BERT folder with a classifier "
                                      "(BertForSequenceClassification)"};
}

models::TokenIds LanguageFolder::tokens_of(const std::string& text) const {
  const auto most = static_cast<size_t>(network_->facts().max_text_tokens);
  return tokenizer_->encode(text, {.max_length = std::min(most, kMostTokens)}).ids;
}

std::vector<LanguageFolder::Word> LanguageFolder::fill_mask(const std::string& text,
                                                            size_t count) const {
  const models::TokenIds tokens = tokens_of(text);
  const auto mask = std::find_if(
      tokens.begin(), tokens.end(), [&](int32_t id) { return tokenizer_->piece(id) == kMask; });
  if (mask == tokens.end())
    throw Error{ErrorCode::kInvalidInput,
                "the tokenizer does not read [MASK]",
                text,
                "name a folder with BERT's own tokenizer files"};
  const models::Matrix row =
      heads_->token_log_probabilities(tokens, static_cast<size_t>(mask - tokens.begin()));
  std::vector<int32_t> ids(row.values.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin(), ids.end(), [&](int32_t a, int32_t b) {
    return row.values[static_cast<size_t>(a)] > row.values[static_cast<size_t>(b)];
  });
  std::vector<Word> words;
  for (size_t i = 0; i < ids.size() && words.size() < count; ++i) {
    const std::string_view piece = tokenizer_->piece(ids[i]);
    if (is_word(piece))
      words.push_back(
          {std::string(piece), std::exp(double{row.values[static_cast<size_t>(ids[i])]})});
  }
  return words;
}

double LanguageFolder::perplexity(const std::string& text) const {
  const std::vector<double> own = heads_->own_log_probabilities(tokens_of(text));
  const double sum = std::accumulate(own.begin(), own.end(), 0.0);
  return std::exp(-sum / static_cast<double>(own.size()));
}

size_t LanguageFolder::num_classes() const {
  return heads_->classes().size();
}

double LanguageFolder::class_logit(const std::string& text, size_t number) const {
  const models::TokenIds tokens = tokens_of(text);
  return heads_->class_logits(std::span(&tokens, 1)).row(0)[number];
}

LanguageFolder::Class LanguageFolder::classify(const std::string& text) const {
  const models::TokenIds tokens = tokens_of(text);
  const models::Matrix logits = heads_->class_logits(std::span(&tokens, 1));
  const auto best = std::max_element(logits.values.begin(), logits.values.end());
  double sum = 0;
  for (const float logit : logits.values) sum += std::exp(double{logit} - double{*best});
  const auto place = static_cast<size_t>(best - logits.values.begin());
  return {.name = ascii_lower(heads_->classes()[place]), .probability = 1 / sum};
}

}  // namespace snellen::cli
