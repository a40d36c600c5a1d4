// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/verb.h"
#include "snellen/models/network.h"
#include "snellen/models/network_module.h"
#include "snellen/models/text_heads.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::cli {

// A BERT folder with a head and its tokenizer. Const methods are safe from many threads.
class LanguageFolder {
 public:
  // What the folder must have.
  enum class Head { kTokens, kClasses };
  // Throws kUsage, naming `flag`, where the folder has no such head.
  LanguageFolder(const Context& context,
                 const std::filesystem::path& folder,
                 Head head,
                 const std::string& flag);

  struct Word {
    std::string text;
    double probability = 0;
  };
  // The likeliest words at the only "[MASK]" of the text, falling; whole words of the vocabulary
  // alone. Equal ones by id.
  std::vector<Word> fill_mask(const std::string& text, size_t count) const;

  // exp of the mean loss of predicting each token of the text, special ones too, with nothing
  // masked; at most 512 tokens.
  double perplexity(const std::string& text) const;

  struct Class {
    std::string name;  // in lower case
    double probability = 0;
  };
  // The likeliest class of the text.
  Class classify(const std::string& text) const;
  // The logit of a class; the last where `name` is empty.
  double class_logit(const std::string& text, size_t number) const;
  size_t num_classes() const;

 private:
  models::TokenIds tokens_of(const std::string& text) const;

  models::NetworkModule module_;
  std::unique_ptr<const models::Network> network_;
  const models::TextHeads* heads_ = nullptr;
  std::unique_ptr<const text::Tokenizer> tokenizer_;
};

}  // namespace snellen::cli
