// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/tokenizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

void append(std::vector<TokenId>& out, const std::vector<TokenId>& ids) {
  out.insert(out.end(), ids.begin(), ids.end());
}

}  // namespace

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  TokenizerScratch scratch;
  Encoding encoding;
  encoding.num_dropped = encode_into(text, options, scratch, encoding.ids);
  return encoding;
}

size_t Tokenizer::encode_into(std::string_view text,
                              const EncodeOptions& options,
                              TokenizerScratch& scratch,
                              std::vector<TokenId>& out) const {
  size_t num_special =
      options.adds_special_tokens ? frame_.prefix.size() + frame_.suffix.size() : 0;
  if (options.max_length > 0 && options.max_length < num_special) {
    throw Error{ErrorCode::kUsage,
                fmt::format("a limit of {} tokens has no room for {} special tokens",
                            options.max_length,
                            num_special),
                facts_.kind,
                "raise the limit"};
  }
  if (options.adds_special_tokens) append(out, frame_.prefix);
  size_t begin = out.size();
  append_tokens(replace_ill_formed(text, scratch.well_formed), scratch, out);
  size_t count = out.size() - begin;
  size_t kept = options.max_length == 0 ? count : std::min(count, options.max_length - num_special);
  out.resize(begin + kept);
  if (options.adds_special_tokens) {
    bool is_closed = frame_.skips_closed_suffix && kept > 0 && !frame_.suffix.empty() &&
                     out.back() == frame_.suffix.front();
    if (!is_closed) append(out, frame_.suffix);
  }
  return count - kept;
}

TokenBatch Tokenizer::encode_batch(std::span<const std::string> texts,
                                   const BatchOptions& options) const {
  TokenizerScratch scratch;
  std::vector<TokenId> ids;
  std::vector<size_t> ends;
  TokenBatch batch;
  batch.num_rows = texts.size();
  size_t longest = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    size_t begin = ids.size();
    size_t dropped = encode_into(texts[i], {.max_length = options.max_length}, scratch, ids);
    if (dropped > 0) batch.truncated.push_back({i, dropped});
    ends.push_back(ids.size());
    longest = std::max(longest, ids.size() - begin);
  }
  if (options.padding == Padding::kMaxLength && options.max_length == 0)
    throw Error{ErrorCode::kUsage, "padding to a limit needs a limit", facts_.kind};
  batch.length = options.padding == Padding::kMaxLength ? options.max_length : longest;
  TokenId pad = options.pad_id.value_or(facts_.pad_id.value_or(0));
  batch.ids.assign(batch.num_rows * batch.length, pad);
  batch.mask.assign(batch.ids.size(), 0);
  for (size_t i = 0; i < texts.size(); ++i) {
    size_t begin = i == 0 ? 0 : ends[i - 1];
    size_t count = ends[i] - begin;
    if (options.padding == Padding::kNone && count != longest) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("text {} has {} tokens, another has {}", i, count, longest),
                  facts_.kind,
                  "pad the batch, or put texts of one length together"};
    }
    std::copy_n(ids.data() + begin, count, batch.ids.data() + i * batch.length);
    std::fill_n(batch.mask.data() + i * batch.length, count, uint8_t{1});
  }
  return batch;
}

}  // namespace snellen::text
