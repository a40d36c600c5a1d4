// SPDX-License-Identifier: Apache-2.0
// Tokenizers for the words of the eyechart, in the files that published folders have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace snellen::training {

// Texts from which vocabularies are learnt: captions, prompts and clip captions of a world.
std::vector<std::string> vocabulary_texts();

struct TokenizerIds {
  int64_t vocabulary = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t padding = 0;
};

// vocab.json, merges.txt and tokenizer_config.json of a CLIP tokenizer (byte pairs, lower case).
TokenizerIds write_clip_tokenizer(const std::filesystem::path& folder,
                                  const std::vector<std::string>& texts,
                                  size_t max_tokens);
// The same files of GPT-2's.
TokenizerIds write_gpt2_tokenizer(const std::filesystem::path& folder,
                                  const std::vector<std::string>& texts,
                                  size_t max_tokens);
// vocab.txt and tokenizer_config.json of BERT's (whole words, else pieces).
TokenizerIds write_bert_tokenizer(const std::filesystem::path& folder,
                                  const std::vector<std::string>& texts,
                                  size_t max_tokens);

}  // namespace snellen::training
