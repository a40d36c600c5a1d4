// SPDX-License-Identifier: Apache-2.0
// Any bytes as text, through small tokenizers of each kind: ids are in range, and the fast lane
// gives what the long way gives.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "snellen/text/tokenizers/byte_letters.h"
#include "snellen/text/tokenizers/html_unescape.h"
#include "snellen/text/tokenizers/tokenizer_json.h"

namespace {

using snellen::text::Pipeline;

// A byte-level vocabulary in JSON: every byte, with and without `end`.
std::string byte_vocabulary(const std::string& end) {
  std::string vocab;
  int next = 0;
  for (const std::string& behind : {std::string(), end}) {
    if (next > 0 && end.empty()) break;
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string letter = snellen::text::as_letters(std::string(1, static_cast<char>(byte)));
      if (letter == "\"" || letter == "\\") letter.insert(0, "\\");
      vocab += "\"" + letter + behind + "\":" + std::to_string(next++) + ",";
    }
  }
  return vocab;
}

Pipeline make(const std::string& json) {
  return Pipeline(snellen::text::read_tokenizer_json(json, "tokenizer.json"), {});
}

Pipeline make_clip(bool has_lane) {
  // An added token that starts with a letter closes the fast lane.
  std::string never = has_lane ? "" : R"(,{"id": 900, "content": "a\u0001\u0002\u0003"},
      {"id": 901, "content": "t\u0001\u0002\u0003"}, {"id": 902, "content": "e\u0001\u0002\u0003"})";
  return make(R"({"added_tokens": [{"id": 600, "content": "<|end|>", "normalized": false})" +
              never + R"(],
      "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"},
        {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}, {"type": "Lowercase"}]},
      "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split", "behavior": "Removed", "invert": true,
        "pattern": {"Regex": "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+"}},
        {"type": "ByteLevel", "add_prefix_space": false}]},
      "model": {"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {)" +
              byte_vocabulary("</w>") + R"("th": 512, "the</w>": 513, "an</w>": 514},
        "merges": ["t h", "th e</w>", "a n</w>"]}})");
}

void check(const Pipeline& tokenizer, std::string_view text) {
  auto encoding = tokenizer.encode(text, {.max_length = 64});
  if (encoding.ids.size() > 64) std::abort();
  for (auto id : encoding.ids)
    if (id < 0 || static_cast<size_t>(id) >= tokenizer.end_id()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Pipeline fast = make_clip(true);
  static const Pipeline slow = make_clip(false);
  static const Pipeline gpt2 =
      make(R"({"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {)" +
           byte_vocabulary("") + R"("he": 256}, "merges": ["h e"]}})");
  static const Pipeline bert = make(
      R"({"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
          "added_tokens": [{"id": 9, "content": "[SEP]", "lstrip": true, "single_word": true}],
          "model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "##b": 2, "the": 3}}})");
  static const snellen::text::HtmlUnescaper html;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Pipeline* tokenizer : {&fast, &slow, &gpt2, &bert}) check(*tokenizer, text);
  if (fast.encode(text).ids != slow.encode(text).ids) std::abort();
  (void)html.unescape(text);
  return 0;
}
