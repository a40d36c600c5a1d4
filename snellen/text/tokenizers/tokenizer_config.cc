// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/tokenizer_config.h"

#include <algorithm>

#include "snellen/base/parse_number.h"
#include "snellen/text/tokenizers/tokenizer_json_steps.h"

namespace snellen::text {
namespace {

constexpr std::array<std::string_view, kNumSpecialTokens> kNames = {
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};
// Folders without a limit write 1000000000000000019884624838656.
constexpr double kMostLength = 1e9;

// A token is its text, or an object with its text and flags.
std::optional<AddedToken> read_special(const JsonView& value) {
  AddedToken token;
  if (value.is_string()) {
    token.content = value.text();
  } else {
    token = read_added_token(value, 0);
  }
  token.special = true;
  if (token.content.empty()) return std::nullopt;
  return token;
}

std::optional<bool> find_boolean(const JsonView& root, std::string_view key) {
  std::optional<JsonView> value = root.find(key);
  if (!value) return std::nullopt;
  return value->boolean();
}

// What is set already stays: the newer file is read first.
void read_special_tokens(const JsonView& root, TokenizerConfig& config) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    std::optional<JsonView> value = root.find(kNames[i]);
    if (value && !config.special[i]) config.special[i] = read_special(*value);
  }
  for (std::string_view key : {"additional_special_tokens", "extra_special_tokens"}) {
    std::optional<JsonView> list = root.find(key);
    if (!list || list->is_object()) continue;
    for (simdjson::dom::element element : list->array()) {
      std::optional<AddedToken> token = read_special(list->element(element, "token"));
      if (token) config.extra_special.push_back(std::move(*token));
    }
  }
}

void read_added_decoder(const JsonView& decoder, TokenizerConfig& config) {
  for (auto [key, value] : decoder.object()) {
    JsonView token = decoder.element(value, key);
    const std::optional<int64_t> id = parse_number<int64_t>(key);
    if (!id) token.fail("is not under an id");
    AddedToken added = read_added_token(token, *id);
    if (!added.content.empty()) config.added.push_back(std::move(added));
  }
  std::sort(config.added.begin(), config.added.end(), [](const AddedToken& a, const AddedToken& b) {
    return a.id < b.id;
  });
}

void read_config(const JsonView& root, TokenizerConfig& config) {
  config.tokenizer_class = root.text_or("tokenizer_class", "");
  if (config.tokenizer_class.ends_with("Fast"))
    config.tokenizer_class.resize(config.tokenizer_class.size() - 4);
  config.do_lower_case = find_boolean(root, "do_lower_case");
  config.strip_accents = find_boolean(root, "strip_accents");
  config.tokenize_chinese_chars = find_boolean(root, "tokenize_chinese_chars");
  config.add_prefix_space = find_boolean(root, "add_prefix_space");
  config.add_bos_token = find_boolean(root, "add_bos_token");
  config.add_eos_token = find_boolean(root, "add_eos_token");
  simdjson::dom::element limit;
  double length = 0;
  if (root.object().at_key("model_max_length").get(limit) == simdjson::SUCCESS &&
      limit.get(length) == simdjson::SUCCESS && length >= 1 && length < kMostLength)
    config.model_max_length = static_cast<size_t>(length);
  if (std::optional<JsonView> decoder = root.find("added_tokens_decoder"))
    read_added_decoder(*decoder, config);
  read_special_tokens(root, config);
}

void read_added_json(const JsonView& root, TokenizerConfig& config) {
  for (auto [content, value] : root.object()) {
    JsonView token = root.element(value, content);
    int64_t id = token.integer();
    if (id < 0 || id >= Vocabulary::kMostIds) token.fail("is no id");
    if (!content.empty())
      config.added.push_back(
          {.content = std::string(content), .id = static_cast<TokenId>(id), .normalized = true});
  }
}

}  // namespace

std::string TokenizerConfig::content(SpecialToken which, std::string_view otherwise) const {
  return token(which) ? token(which)->content : std::string(otherwise);
}

TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder,
                                      std::vector<std::filesystem::path>* opened) {
  TokenizerConfig config;
  auto has = [&](const char* name) {
    const bool is_there = std::filesystem::exists(folder / name);
    if (is_there && opened) opened->push_back(folder / name);
    return is_there;
  };
  if (has("tokenizer_config.json"))
    read_config(JsonFile(folder / "tokenizer_config.json").root(), config);
  if (has("special_tokens_map.json"))
    read_special_tokens(JsonFile(folder / "special_tokens_map.json").root(), config);
  if (config.added.empty() && has("added_tokens.json"))
    read_added_json(JsonFile(folder / "added_tokens.json").root(), config);
  if (has("config.json"))
    config.model_type = JsonFile(folder / "config.json").root().text_or("model_type", "");
  return config;
}

}  // namespace snellen::text
