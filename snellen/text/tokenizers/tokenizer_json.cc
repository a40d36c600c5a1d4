// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/tokenizer_json.h"

#include <fmt/format.h>

#include "snellen/text/tokenizers/bpe.h"
#include "snellen/text/tokenizers/tokenizer_json_steps.h"
#include "snellen/text/tokenizers/wordpiece.h"

namespace snellen::text {
namespace {

Vocabulary read_vocabulary(const JsonView& model) {
  JsonView vocab = model.at("vocab");
  Vocabulary vocabulary(vocab.where());
  for (auto [token, value] : vocab.object()) {
    int64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS)
      vocab.fail(fmt::format("the id of '{}' is not a whole number", token));
    vocabulary.add(token, id);
  }
  return vocabulary;
}

// "a b", or ["a", "b"] since tokenizers 0.20.
BpeMerges read_merges(const JsonView& merges) {
  BpeMerges pairs;
  simdjson::dom::array list = merges.array();
  for (simdjson::dom::element element : list) {
    JsonView merge = merges.element(element, "");
    auto bad = [&] { merges.fail(fmt::format("merge {} is not two tokens", pairs.size() + 1)); };
    if (merge.is_string()) {
      std::string_view text = merge.text();
      size_t space = text.find(' ');
      if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos)
        bad();
      pairs.emplace_back(text.substr(0, space), text.substr(space + 1));
      continue;
    }
    simdjson::dom::array parts = merge.array();
    std::string_view left;
    std::string_view right;
    if (parts.size() != 2 || parts.at(0).get(left) != simdjson::SUCCESS ||
        parts.at(1).get(right) != simdjson::SUCCESS)
      bad();
    pairs.emplace_back(left, right);
  }
  return pairs;
}

std::unique_ptr<const SubwordModel> read_bpe(const JsonView& model, bool is_byte_level) {
  if (model.find("dropout")) {
    double dropout = 0;
    simdjson::dom::element value;
    if (model.object().at_key("dropout").get(value) != simdjson::SUCCESS ||
        value.get(dropout) != simdjson::SUCCESS || dropout != 0)
      model.fail("dropout is not supported", "it makes tokens random; set it to null");
  }
  BpeOptions options{.word_end = model.text_or("end_of_word_suffix", ""),
                     .inside_prefix = model.text_or("continuing_subword_prefix", ""),
                     .unk_token = std::nullopt,
                     .fuses_unk = model.boolean_or("fuse_unk", false),
                     .has_byte_fallback = model.boolean_or("byte_fallback", false),
                     .ignores_merges = model.boolean_or("ignore_merges", false),
                     .is_byte_level = is_byte_level};
  if (std::optional<JsonView> unk = model.find("unk_token")) options.unk_token = unk->text();
  JsonView merges = model.at("merges");
  return std::make_unique<BpeModel>(
      read_vocabulary(model), read_merges(merges), std::move(options), merges.where());
}

std::unique_ptr<const SubwordModel> read_wordpiece(const JsonView& model) {
  WordPieceOptions options{.unk_token = model.text_or("unk_token", "[UNK]"),
                           .inside_prefix = model.text_or("continuing_subword_prefix", "##")};
  if (std::optional<JsonView> most = model.find("max_input_chars_per_word")) {
    int64_t count = most->integer();
    if (count < 0) most->fail(fmt::format("{} is negative", count));
    options.max_characters = static_cast<size_t>(count);
  }
  return std::make_unique<WordPieceModel>(read_vocabulary(model), std::move(options));
}

std::unique_ptr<const SubwordModel> read_model(const JsonView& model, bool is_byte_level) {
  // Files written before tokenizers 0.9 name no type.
  std::string type = model.text_or("type", model.find("merges") ? "BPE" : "WordPiece");
  if (type == "BPE") return read_bpe(model, is_byte_level);
  if (type == "WordPiece" && !is_byte_level) return read_wordpiece(model);
  if (type == "WordPiece") model.fail("WordPiece behind ByteLevel is not supported");
  model.fail(fmt::format("model '{}' is not supported", type),
             type == "Unigram" ? "put the checkpoint's spiece.model beside it"
                               : "supported are BPE and WordPiece");
}

std::vector<AddedToken> read_added_tokens(const JsonView& list, const Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  StringTable seen;
  for (simdjson::dom::element element : list.array()) {
    JsonView token = list.element(element, fmt::format("{}", tokens.size()));
    AddedToken added = read_added_token(token, token.at("id").integer());
    if (added.content.empty()) continue;  // as the library does
    TokenId there = vocabulary.find(added.content);
    std::string_view taken = vocabulary.piece(added.id);
    if (there != Vocabulary::kAbsent && there != added.id) {
      token.fail(
          fmt::format("'{}' has id {}, but {} in the vocabulary", added.content, added.id, there));
    }
    if (there == Vocabulary::kAbsent && !taken.empty())
      token.fail(fmt::format("id {} of '{}' belongs to '{}'", added.id, added.content, taken));
    int32_t before = seen.find(added.content);
    if (before != StringTable::kAbsent && before != added.id)
      token.fail(fmt::format("'{}' is added twice, as {} and {}", added.content, before, added.id));
    seen.set(added.content, added.id);
    tokens.push_back(std::move(added));
  }
  return tokens;
}

}  // namespace

PipelineParts read_tokenizer_json(std::string_view bytes, const std::string& source) {
  JsonFile file(bytes, source);
  JsonView root = file.root();
  PipelineParts parts;
  if (std::optional<JsonView> normalizer = root.find("normalizer"))
    parts.normalizer = Normalizer(read_normalizer(*normalizer));
  if (std::optional<JsonView> splits = root.find("pre_tokenizer"))
    parts.pre_tokenizer = PreTokenizer(read_pre_tokenizer(*splits));
  parts.model = read_model(root.at("model"), parts.pre_tokenizer.is_byte_level());
  if (std::optional<JsonView> added = root.find("added_tokens"))
    parts.added_tokens = read_added_tokens(*added, parts.model->vocabulary());
  if (std::optional<JsonView> frame = root.find("post_processor"))
    parts.frame = read_post_processor(*frame);
  return parts;
}

}  // namespace snellen::text
