// SPDX-License-Identifier: Apache-2.0
// open_clip's own tokenizer, for folders without tokenizer files: HTML unescaped twice, white space
// collapsed, Python's lower-casing, CLIP's pattern, byte-level BPE over the bundled vocabulary.
// ftfy, which open_clip runs first, is not reproduced (docs/spec/models.md 8).
#pragma once

#include "snellen/text/tokenizers/html_unescape.h"
#include "snellen/text/tokenizers/tokenizer.h"
#include "snellen/text/tokenizers/vocabulary_files.h"

namespace snellen::text {

class OpenClipTokenizer final : public Tokenizer {
 public:
  explicit OpenClipTokenizer(SimpleVocabulary simple, const std::string& source);

  std::string_view piece(TokenId id) const override { return model_.vocabulary().piece(id); }
  size_t end_id() const override { return model_.vocabulary().end_id(); }

 protected:
  void append_tokens(std::string_view text,
                     TokenizerScratch& scratch,
                     std::vector<TokenId>& out) const override;

 private:
  BpeModel model_;
  HtmlUnescaper html_;
};

}  // namespace snellen::text
