// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/family_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/text/tokenizers/siglip.h"
#include "snellen/text/tokenizers/vocabulary_files.h"
#include "snellen/text/tokenizers/wordpiece.h"

namespace snellen::text {
namespace {

namespace fs = std::filesystem;

std::string require_file(const fs::path& folder, std::string_view name) {
  fs::path path = folder / name;
  if (!fs::exists(path)) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("there is no tokenizer.json and no {}", name),
                folder.string(),
                "copy the checkpoint's tokenizer files here"};
  }
  return path.string();
}

using Defaults = std::array<std::string_view, kNumSpecialTokens>;

// In the order of SpecialToken; an empty one has no default.
Defaults defaults_of(TokenizerFamily family) {
  constexpr std::string_view kEnd = "<|endoftext|>";
  switch (family) {
    case TokenizerFamily::kBert:
      return {"", "", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"};
    case TokenizerFamily::kRoberta:
      return {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"};
    case TokenizerFamily::kOpt:
      return {"</s>", "</s>", "</s>", "", "<pad>", "", ""};
    case TokenizerFamily::kClip:
      return {"<|startoftext|>", kEnd, kEnd, "", kEnd, "", ""};
    default:
      return {kEnd, kEnd, kEnd, "", "", "", ""};
  }
}

// The special tokens of a folder without tokenizer.json: those of its config and the family's, each
// with its id of the vocabulary, or the next free one.
class SpecialTokens {
 public:
  SpecialTokens(const Vocabulary& vocabulary,
                const TokenizerConfig& config,
                const Defaults& defaults)
      : vocabulary_(vocabulary), next_(static_cast<TokenId>(vocabulary.end_id())) {
    for (const AddedToken& token : config.added) {
      added_.push_back(token);
      next_ = std::max(next_, token.id + 1);
    }
    for (size_t i = 0; i < kNumSpecialTokens; ++i) {
      if (config.special[i]) {
        add(*config.special[i]);
      } else if (!defaults[i].empty() && vocabulary.find(defaults[i]) != Vocabulary::kAbsent) {
        add({.content = std::string(defaults[i]), .special = true});
      }
    }
    for (const AddedToken& token : config.extra_special) add(token);
  }

  TokenId id_of(const std::string& content) const {
    for (const AddedToken& token : added_)
      if (token.content == content) return token.id;
    return vocabulary_.require(content, "the special token");
  }
  std::vector<AddedToken> take() { return std::move(added_); }

 private:
  void add(AddedToken token) {
    bool is_there = std::any_of(added_.begin(), added_.end(), [&](const AddedToken& other) {
      return other.content == token.content;
    });
    if (is_there) return;
    TokenId id = vocabulary_.find(token.content);
    token.id = id == Vocabulary::kAbsent ? next_++ : id;
    added_.push_back(std::move(token));
  }

  const Vocabulary& vocabulary_;
  std::vector<AddedToken> added_;
  TokenId next_;
};

std::string content_of(const TokenizerConfig& config,
                       const Defaults& defaults,
                       SpecialToken which) {
  return config.content(which, defaults[static_cast<size_t>(which)]);
}

PipelineParts read_bert(const fs::path& folder, const TokenizerConfig& config) {
  Defaults defaults = defaults_of(TokenizerFamily::kBert);
  std::string path = require_file(folder, "vocab.txt");
  PipelineParts parts;
  parts.model = std::make_unique<WordPieceModel>(
      read_vocab_txt(MappedFile(path).bytes(), path),
      WordPieceOptions{.unk_token = content_of(config, defaults, SpecialToken::kUnk)});
  parts.normalizer =
      Normalizer({BertClean{.clean_text = true,
                            .handle_chinese_chars = config.tokenize_chinese_chars.value_or(true),
                            .strip_accents = config.strip_accents,
                            .lowercase = config.do_lower_case.value_or(true)}});
  parts.pre_tokenizer = PreTokenizer({BertSplit{}});
  SpecialTokens special(parts.model->vocabulary(), config, defaults);
  parts.frame = {{special.id_of(content_of(config, defaults, SpecialToken::kCls))},
                 {special.id_of(content_of(config, defaults, SpecialToken::kSep))},
                 false};
  parts.added_tokens = special.take();
  return parts;
}

PipelineParts read_byte_bpe(const fs::path& folder,
                            TokenizerFamily family,
                            const TokenizerConfig& config) {
  Defaults defaults = defaults_of(family);
  std::string vocab_path = require_file(folder, "vocab.json");
  std::string merges_path = require_file(folder, "merges.txt");
  bool is_clip = family == TokenizerFamily::kClip;
  BpeOptions options{.word_end = is_clip ? "</w>" : "",
                     .inside_prefix = {},
                     .unk_token = std::nullopt,
                     .is_byte_level = true};
  if (is_clip) options.unk_token = content_of(config, defaults, SpecialToken::kUnk);
  PipelineParts parts;
  parts.model =
      std::make_unique<BpeModel>(read_vocab_json(MappedFile(vocab_path).bytes(), vocab_path),
                                 read_merges_txt(MappedFile(merges_path).bytes(), merges_path),
                                 std::move(options),
                                 merges_path);
  ByteLevel bytes{.add_prefix_space = !is_clip && config.add_prefix_space.value_or(false)};
  if (is_clip) {
    parts.normalizer = Normalizer({NormalForm::kNfc, CollapseSpaces{}, Lowercase{}});
    parts.pre_tokenizer = PreTokenizer(
        {Split{SplitPattern::kClipWithMarks, SplitBehavior::kRemoved, /*invert=*/true}, bytes});
  } else {
    parts.pre_tokenizer = PreTokenizer({bytes});
  }
  SpecialTokens special(parts.model->vocabulary(), config, defaults);
  auto id = [&](SpecialToken which) { return special.id_of(content_of(config, defaults, which)); };
  if (is_clip) parts.frame = {{id(SpecialToken::kBos)}, {id(SpecialToken::kEos)}, false};
  if (family == TokenizerFamily::kRoberta)
    parts.frame = {{id(SpecialToken::kCls)}, {id(SpecialToken::kSep)}, false};
  bool is_opt = family == TokenizerFamily::kOpt;
  if (!is_clip && family != TokenizerFamily::kRoberta) {
    if (config.add_bos_token.value_or(is_opt)) parts.frame.prefix = {id(SpecialToken::kBos)};
    if (config.add_eos_token.value_or(false)) parts.frame.suffix = {id(SpecialToken::kEos)};
  }
  parts.added_tokens = special.take();
  return parts;
}

}  // namespace

PipelineParts read_family_files(const fs::path& folder,
                                TokenizerFamily family,
                                const TokenizerConfig& config) {
  switch (family) {
    case TokenizerFamily::kBert:
      return read_bert(folder, config);
    case TokenizerFamily::kClip:
    case TokenizerFamily::kGpt2:
    case TokenizerFamily::kRoberta:
    case TokenizerFamily::kOpt:
      return read_byte_bpe(folder, family, config);
    default:
      throw Error{ErrorCode::kNotFound,
                  fmt::format("a {} tokenizer needs tokenizer.json", name_of(family)),
                  folder.string(),
                  "copy the checkpoint's tokenizer files here"};
  }
}

std::unique_ptr<const Tokenizer> open_siglip(const fs::path& folder,
                                             const TokenizerConfig& config) {
  std::string path = require_file(folder, "spiece.model");
  SentencePieceModel model(MappedFile(path).bytes(), path);
  SiglipOptions options{.lowers = config.do_lower_case.value_or(true),
                        .unk_token = config.content(SpecialToken::kUnk, "<unk>"),
                        .added_tokens = config.added};
  auto next = static_cast<TokenId>(model.size());
  for (const AddedToken& token : options.added_tokens) next = std::max(next, token.id + 1);
  auto add = [&](AddedToken token) {
    for (const AddedToken& other : options.added_tokens)
      if (other.content == token.content) return other.id;
    token.id = model.has(token.content) ? model.id_of(token.content) : next++;
    options.added_tokens.push_back(token);
    return token.id;
  };
  // The class's own tokens take the white space around them; a named one brings its flags.
  auto named = [&](SpecialToken which, std::string_view otherwise) {
    AddedToken token{.content = config.content(which, otherwise),
                     .lstrip = true,
                     .rstrip = true,
                     .special = true};
    return add(std::move(token));
  };
  TokenizerFacts facts;
  facts.kind = "siglip";
  facts.model_max_length = config.model_max_length;
  facts.eos_id = named(SpecialToken::kEos, "</s>");
  facts.unk_id = named(SpecialToken::kUnk, "<unk>");
  facts.pad_id = named(SpecialToken::kPad, "</s>");
  for (const AddedToken& token : config.extra_special) add(token);
  TokenFrame frame{{}, {*facts.eos_id}, /*skips_closed_suffix=*/true};
  return std::make_unique<SiglipTokenizer>(
      std::move(model), std::move(options), std::move(facts), std::move(frame));
}

TokenizerFacts facts_of(const PipelineParts& parts, const TokenizerConfig& config) {
  auto id_of = [&](SpecialToken which) -> std::optional<TokenId> {
    const std::optional<AddedToken>& token = config.token(which);
    if (!token) return std::nullopt;
    for (const AddedToken& added : parts.added_tokens)
      if (added.content == token->content) return added.id;
    TokenId id = parts.model->vocabulary().find(token->content);
    if (id == Vocabulary::kAbsent) return std::nullopt;
    return id;
  };
  return {.kind = {},
          .pad_id = id_of(SpecialToken::kPad),
          .bos_id = id_of(SpecialToken::kBos),
          .eos_id = id_of(SpecialToken::kEos),
          .unk_id = id_of(SpecialToken::kUnk),
          .model_max_length = config.model_max_length};
}

}  // namespace snellen::text
