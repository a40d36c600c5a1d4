// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/open_clip.h"

#include <array>

#include "snellen/text/characters.h"
#include "snellen/text/tokenizers/split_pattern.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

// Python's regular expressions, told to ignore case, take U+017F for an s; all else is lower-cased
// before.
constexpr std::string_view kLongS = "\u017F";

// Bytes of `wanted` at the start of `text`, with U+017F for s anywhere; 0 when it does not start
// so.
size_t starts_folded(std::string_view text, std::string_view wanted) {
  size_t at = 0;
  for (char c : wanted) {
    if (c == 's' && text.substr(at).starts_with(kLongS)) {
      at += kLongS.size();
    } else if (at < text.size() && text[at] == c) {
      ++at;
    } else {
      return 0;
    }
  }
  return at;
}

size_t word_at(std::string_view text, size_t at) {
  std::string_view rest = text.substr(at);
  if (rest[0] == '<') {
    for (std::string_view mark : {"<start_of_text>", "<end_of_text>"})
      if (size_t size = starts_folded(rest, mark)) return size;
  }
  if (size_t size = starts_folded(rest.substr(0, 3), "'s")) return size;
  return match_at(SplitPattern::kOpenClip, text, at);
}

std::string joined_words(std::string_view text) {
  std::string out;
  for_each_word(text, [&](std::string_view word) {
    if (!out.empty()) out.push_back(' ');
    out.append(word);
  });
  return out;
}

TokenizerFacts facts_of(const SimpleVocabulary& simple) {
  return {.kind = "open_clip",
          .pad_id = 0,
          .bos_id = simple.start,
          .eos_id = simple.end,
          .unk_id = std::nullopt,
          .model_max_length = 77};
}

}  // namespace

OpenClipTokenizer::OpenClipTokenizer(SimpleVocabulary simple, const std::string& source)
    : Tokenizer(facts_of(simple), {{simple.start}, {simple.end}, false}),
      model_(std::move(simple.vocabulary),
             simple.merges,
             {.word_end = "</w>",
              .inside_prefix = {},
              .unk_token = std::nullopt,
              .is_byte_level = true},
             source) {}

void OpenClipTokenizer::append_tokens(std::string_view text,
                                      TokenizerScratch& scratch,
                                      std::vector<TokenId>& out) const {
  std::string clean(text);
  for (int i = 0; i < 2 && clean.find('&') != std::string::npos; ++i) clean = html_.unescape(clean);
  clean = lower(joined_words(clean));
  for (size_t at = 0; at < clean.size();) {
    size_t size = word_at(clean, at);
    if (size == 0) {
      at += decode_at(clean, at).size;
      continue;
    }
    std::string_view word = std::string_view(clean).substr(at, size);
    at += size;
    // Only the exact spelling is the token; with a long s it is a word like any other.
    bool is_mark = word == "<start_of_text>" || word == "<end_of_text>";
    if (is_mark) {
      out.push_back(model_.vocabulary().find(word));
    } else {
      model_.encode(word, scratch.subwords, out);
    }
  }
}

}  // namespace snellen::text
