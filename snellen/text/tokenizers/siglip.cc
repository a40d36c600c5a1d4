// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/siglip.h"

#include <algorithm>

#include "snellen/text/characters.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

constexpr std::string_view kUnderline = "\u2581";

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (size_t found = 0; (found = text.find(from)) != std::string_view::npos;) {
    out.append(text.substr(0, found)).append(to);
    text.remove_prefix(found + from.size());
  }
  return out.append(text);
}

std::string_view without_leading_space(std::string_view text) {
  while (size_t size = leading_space(text)) text.remove_prefix(size);
  return text;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty()) {
    CodePoint last = decode_before(text, text.size());
    if (!is_space(last.value)) break;
    text.remove_suffix(last.size);
  }
  return text;
}

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

// A part of the text: an added token, or what lies between them.
struct Part {
  std::string text;
  const AddedToken* token;
};

// For finding them only; their flags are applied by the next function.
std::vector<AddedToken> without_flags(std::vector<AddedToken> tokens) {
  for (AddedToken& token : tokens)
    token.single_word = token.lstrip = token.rstrip = token.normalized = false;
  return tokens;
}

// The flags of added tokens as transformers' Python class applies them: to their neighbours, in
// order, whatever those are.
void apply_flags(std::vector<Part>& parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].token == nullptr) continue;
    const AddedToken& token = *parts[i].token;
    Part* left = i > 0 && !parts[i - 1].text.empty() ? &parts[i - 1] : nullptr;
    Part* right = i + 1 < parts.size() && !parts[i + 1].text.empty() ? &parts[i + 1] : nullptr;
    // The neighbours as they were: stripping does not change what `single_word` looks at.
    bool touches_left = left != nullptr && left->text.back() != ' ';
    bool touches_right = right != nullptr && right->text.front() != ' ';
    if (token.rstrip && right != nullptr) right->text = without_leading_space(right->text);
    if (token.lstrip && left != nullptr) left->text = without_trailing_space(left->text);
    if (!token.single_word) continue;
    if (touches_left) {
      left->text += parts[i].text;
      left->token = nullptr;
    } else if (touches_right) {
      right->text = parts[i].text + right->text;
      right->token = nullptr;
    }
    if (touches_left || touches_right) parts[i] = {"", nullptr};
  }
}

}  // namespace

SiglipTokenizer::SiglipTokenizer(SentencePieceModel model,
                                 SiglipOptions options,
                                 TokenizerFacts facts,
                                 TokenFrame frame)
    : Tokenizer(std::move(facts), std::move(frame)),
      model_(std::move(model)),
      options_(std::move(options)),
      added_(without_flags(options_.added_tokens)),
      unk_length_(model_.encode(options_.unk_token).size()),
      end_id_(model_.size()) {
  for (const AddedToken& token : added_.tokens())
    end_id_ = std::max(end_id_, static_cast<size_t>(token.id) + 1);
}

std::string_view SiglipTokenizer::piece(TokenId id) const {
  for (const AddedToken& token : added_.tokens())
    if (token.id == id) return token.content;
  return model_.piece(id);
}

std::string SiglipTokenizer::canonical(std::string_view part) const {
  std::string text = options_.lowers ? lower(part) : std::string(part);
  std::erase_if(text, is_ascii_punctuation);
  std::string out;
  for_each_word(text, [&](std::string_view word) {
    if (!out.empty()) out.push_back(' ');
    out.append(word);
  });
  return out;
}

void SiglipTokenizer::append_tokens(std::string_view text,
                                    TokenizerScratch& scratch,
                                    std::vector<TokenId>& out) const {
  std::string marked = std::string(kUnderline) + replace_all(text, kUnderline, " ");
  scratch.pieces.clear();
  added_.split(marked, scratch.pieces);
  std::vector<Part> parts;
  for (const AddedTokens::Piece& piece : scratch.pieces) {
    const AddedToken* token = nullptr;
    for (const AddedToken& known : options_.added_tokens)
      if (piece.id != Vocabulary::kAbsent && known.content == piece.text) token = &known;
    parts.push_back({std::string(piece.text), token});
  }
  apply_flags(parts);
  // The first two tokens decide whether a lone U+2581 before a special token goes.
  size_t begin = out.size();
  bool starts_with_underline = false;
  for (const Part& part : parts) {
    if (part.text.empty()) continue;
    if (part.token != nullptr) {
      if (out.size() == begin + 1 && starts_with_underline && part.token->special) out.pop_back();
      starts_with_underline = false;
      out.push_back(part.token->id);
      continue;
    }
    std::vector<std::string> pieces = model_.encode(options_.unk_token + canonical(part.text));
    size_t skipped = pieces.size() >= unk_length_ ? unk_length_ : 0;
    for (size_t i = skipped; i < pieces.size(); ++i) {
      if (out.size() == begin) starts_with_underline = pieces[i] == kUnderline;
      out.push_back(model_.id_of(pieces[i]));
    }
  }
}

}  // namespace snellen::text
