// SPDX-License-Identifier: Apache-2.0
// Tokenizers from the files older than tokenizer.json, with the defaults of each family's class.
#pragma once

#include <filesystem>
#include <memory>

#include "snellen/text/tokenizers/load_tokenizer.h"
#include "snellen/text/tokenizers/pipeline.h"
#include "snellen/text/tokenizers/tokenizer_config.h"

namespace snellen::text {

// vocab.json and merges.txt, or vocab.txt; not for kOpenClip, kSiglip and kSiglip2.
PipelineParts read_family_files(const std::filesystem::path& folder,
                                TokenizerFamily family,
                                const TokenizerConfig& config);
std::unique_ptr<const Tokenizer> open_siglip(const std::filesystem::path& folder,
                                             const TokenizerConfig& config);
// Ids of the named special tokens, as far as the parts hold them.
TokenizerFacts facts_of(const PipelineParts& parts, const TokenizerConfig& config);

}  // namespace snellen::text
