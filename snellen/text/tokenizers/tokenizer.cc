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

}  // namespace snellen::text
