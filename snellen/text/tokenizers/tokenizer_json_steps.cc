// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/tokenizer_json_steps.h"

#include <fmt/format.h>

namespace snellen::text {
namespace {

constexpr int kMostNested = 8;
constexpr size_t kMostSteps = 64;
constexpr size_t kMostSpecial = 64;
constexpr size_t kMostTokenBytes = 1024;

[[noreturn]] void refuse(const JsonView& part, std::string_view kind, std::string_view type) {
  part.fail(
      fmt::format("{} '{}' is not supported", kind, type),
      "supported are the parts that CLIP, GPT-2, RoBERTa, OPT, BERT and Gemma checkpoints use");
}

void check_room(const JsonView& part, size_t count, size_t most) {
  if (count > most) part.fail(fmt::format("has more than {} parts", most));
}

// Calls take(member) for each member of a "Sequence", however nested, or for the value itself.
template <typename Take>
void for_each_step(const JsonView& part, std::string_view members, int depth, Take& take) {
  if (depth > kMostNested) part.fail(fmt::format("is nested more than {} deep", kMostNested));
  if (part.type() != "Sequence") return take(part);
  JsonView list = part.at(members);
  size_t index = 0;
  for (simdjson::dom::element member : list.array())
    for_each_step(list.element(member, fmt::format("{}", index++)), members, depth + 1, take);
}

NormalizerStep read_replace(const JsonView& step) {
  JsonView pattern = step.at("pattern");
  std::string content(step.at("content").text());
  if (std::optional<JsonView> literal = pattern.find("String")) {
    if (literal->text().empty()) literal->fail("is empty");
    return ReplaceText{std::string(literal->text()), std::move(content)};
  }
  std::string_view regex = pattern.at("Regex").text();
  if (regex != R"(\s+)" || content != " ") refuse(step, "the pattern", regex);
  return CollapseSpaces{};
}

NormalizerStep read_normalizer_step(const JsonView& step) {
  std::string_view type = step.type();
  if (type == "NFC") return NormalForm::kNfc;
  if (type == "NFD") return NormalForm::kNfd;
  if (type == "NFKC") return NormalForm::kNfkc;
  if (type == "NFKD") return NormalForm::kNfkd;
  if (type == "Lowercase") return Lowercase{};
  if (type == "StripAccents") return StripAccents{};
  if (type == "Replace") return read_replace(step);
  if (type == "Prepend") return PrependText{std::string(step.at("prepend").text())};
  if (type == "Strip")
    return StripSpaces{step.boolean_or("strip_left", true), step.boolean_or("strip_right", true)};
  if (type == "BertNormalizer") {
    BertClean clean{.clean_text = step.boolean_or("clean_text", true),
                    .handle_chinese_chars = step.boolean_or("handle_chinese_chars", true),
                    .strip_accents = std::nullopt,
                    .lowercase = step.boolean_or("lowercase", true)};
    if (std::optional<JsonView> strips = step.find("strip_accents"))
      clean.strip_accents = strips->boolean();
    return clean;
  }
  refuse(step, "normalizer", type);
}

SplitBehavior read_behavior(const JsonView& behavior) {
  std::string_view name = behavior.text();
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  refuse(behavior, "behavior", name);
}

PreTokenizerStep read_split(const JsonView& step) {
  Split split{.pattern = std::string(),
              .behavior = read_behavior(step.at("behavior")),
              .invert = step.boolean_or("invert", false)};
  JsonView pattern = step.at("pattern");
  if (std::optional<JsonView> literal = pattern.find("String")) {
    if (literal->text().empty()) literal->fail("is empty");
    split.pattern = std::string(literal->text());
    return split;
  }
  std::string_view regex = pattern.at("Regex").text();
  std::optional<SplitPattern> known = split_pattern_of(regex);
  if (!known) refuse(step, "the pattern", regex);
  split.pattern = *known;
  return split;
}

PreTokenizerStep read_pre_tokenizer_step(const JsonView& step) {
  std::string_view type = step.type();
  if (type == "BertPreTokenizer") return BertSplit{};
  if (type == "WhitespaceSplit") return WhitespaceSplit{};
  if (type == "Split") return read_split(step);
  if (type == "ByteLevel")
    return ByteLevel{step.boolean_or("add_prefix_space", true), step.boolean_or("use_regex", true)};
  refuse(step, "pre_tokenizer", type);
}

TokenId read_id(const JsonView& value) {
  int64_t id = value.integer();
  if (id < 0 || id >= Vocabulary::kMostIds)
    value.fail(fmt::format("id {} is not in 0..{}", id, Vocabulary::kMostIds - 1));
  return static_cast<TokenId>(id);
}

// ["[SEP]", 102]
TokenId read_named_id(const JsonView& pair) {
  simdjson::dom::array parts = pair.array();
  simdjson::dom::element id;
  if (parts.size() != 2 || parts.at(1).get(id) != simdjson::SUCCESS)
    pair.fail("expected a token and its id");
  return read_id(pair.element(id, "id"));
}

TokenFrame read_template(const JsonView& part) {
  TokenFrame frame;
  JsonView special = part.at("special_tokens");
  JsonView single = part.at("single");
  bool is_behind = false;
  for (simdjson::dom::element member : single.array()) {
    JsonView piece = single.element(member, "piece");
    if (piece.find("Sequence")) {
      if (is_behind) single.fail("has the text twice");
      is_behind = true;
      continue;
    }
    JsonView ids = special.at(piece.at("SpecialToken").at("id").text()).at("ids");
    for (simdjson::dom::element id : ids.array())
      (is_behind ? frame.suffix : frame.prefix).push_back(read_id(ids.element(id, "id")));
    check_room(single, frame.prefix.size() + frame.suffix.size(), kMostSpecial);
  }
  if (!is_behind) single.fail("leaves the text out");
  return frame;
}

}  // namespace

std::vector<NormalizerStep> read_normalizer(const JsonView& normalizer) {
  std::vector<NormalizerStep> steps;
  auto take = [&](const JsonView& step) {
    steps.push_back(read_normalizer_step(step));
    check_room(normalizer, steps.size(), kMostSteps);
  };
  for_each_step(normalizer, "normalizers", 0, take);
  return steps;
}

std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonView& pre_tokenizer) {
  std::vector<PreTokenizerStep> steps;
  auto take = [&](const JsonView& step) {
    if (!steps.empty() && std::holds_alternative<ByteLevel>(steps.back()))
      step.fail("a step after ByteLevel is not supported");
    steps.push_back(read_pre_tokenizer_step(step));
    check_room(pre_tokenizer, steps.size(), kMostSteps);
  };
  for_each_step(pre_tokenizer, "pretokenizers", 0, take);
  return steps;
}

TokenFrame read_post_processor(const JsonView& post_processor) {
  TokenFrame frame;
  auto take = [&](const JsonView& part) {
    std::string_view type = part.type();
    TokenFrame around;
    if (type == "RobertaProcessing" || type == "BertProcessing") {
      around.prefix = {read_named_id(part.at("cls"))};
      around.suffix = {read_named_id(part.at("sep"))};
    } else if (type == "TemplateProcessing") {
      around = read_template(part);
    } else if (type != "ByteLevel") {  // which only moves offsets
      refuse(part, "post_processor", type);
    }
    frame.prefix.insert(frame.prefix.begin(), around.prefix.begin(), around.prefix.end());
    frame.suffix.insert(frame.suffix.end(), around.suffix.begin(), around.suffix.end());
    check_room(post_processor, frame.prefix.size() + frame.suffix.size(), kMostSpecial);
  };
  for_each_step(post_processor, "processors", 0, take);
  return frame;
}

AddedToken read_added_token(const JsonView& token, int64_t id) {
  AddedToken added{.content = std::string(token.at("content").text()),
                   .single_word = token.boolean_or("single_word", false),
                   .lstrip = token.boolean_or("lstrip", false),
                   .rstrip = token.boolean_or("rstrip", false),
                   .normalized = token.boolean_or("normalized", true),
                   .special = token.boolean_or("special", false)};
  if (added.content.size() > kMostTokenBytes)
    token.fail(
        fmt::format("a token of {} bytes, more than {}", added.content.size(), kMostTokenBytes));
  if (id < 0 || id >= Vocabulary::kMostIds)
    token.fail(fmt::format("id {} is not in 0..{}", id, Vocabulary::kMostIds - 1));
  added.id = static_cast<TokenId>(id);
  return added;
}

}  // namespace snellen::text
