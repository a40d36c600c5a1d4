// SPDX-License-Identifier: Apache-2.0
// Opens the tokenizer of a model folder, as its family's reference implementation would.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::text {

enum class TokenizerFamily {
  kClip,      // CLIP, X-CLIP, MetaCLIP
  kOpenClip,  // open_clip folders without tokenizer files: the bundled vocabulary
  kGpt2,
  kRoberta,  // BridgeTower
  kOpt,      // OPT, BLIP-2 with OPT: the start token goes first
  kBert,     // BERT, ALIGN, FLAVA, ViLT, BLIP, BLIP-2 retrieval
  kSiglip,   // spiece.model
  kSiglip2,  // Gemma's tokenizer.json, lower-cased first
};

std::string_view name_of(TokenizerFamily family);
// By its name: clip open_clip gpt2 roberta opt bert siglip siglip2. Nothing for any other.
std::optional<TokenizerFamily> tokenizer_family_of(std::string_view name);
std::vector<std::string_view> tokenizer_family_names();

struct TokenizerSource {
  std::filesystem::path folder;
  // Found from the folder's files when not set.
  std::optional<TokenizerFamily> family;
  // bpe_simple_vocab_16e6.txt.gz for kOpenClip, where the folder has none; may be empty.
  std::filesystem::path clip_vocabulary;
  // Gets every file that decides the tokens: a run's identity is what was read.
  std::vector<std::filesystem::path>* opened = nullptr;
};

// Reads tokenizer.json when there is one, else vocab.json and merges.txt, vocab.txt or
// spiece.model. SigLIP reads spiece.model first: its reference class knows no other file. Throws
// kNotFound for missing files, kInvalidInput naming the file for bad ones.
std::unique_ptr<const Tokenizer> load_tokenizer(const TokenizerSource& source);

}  // namespace snellen::text
