// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/load_tokenizer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/text/tokenizers/family_files.h"
#include "snellen/text/tokenizers/open_clip.h"
#include "snellen/text/tokenizers/siglip.h"
#include "snellen/text/tokenizers/tokenizer_json.h"

namespace snellen::text {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<TokenizerFamily, std::string_view>, 8> kFamilies = {
    {{TokenizerFamily::kClip, "clip"},
     {TokenizerFamily::kOpenClip, "open_clip"},
     {TokenizerFamily::kGpt2, "gpt2"},
     {TokenizerFamily::kRoberta, "roberta"},
     {TokenizerFamily::kOpt, "opt"},
     {TokenizerFamily::kBert, "bert"},
     {TokenizerFamily::kSiglip, "siglip"},
     {TokenizerFamily::kSiglip2, "siglip2"}}};

constexpr std::string_view kSimpleVocabularyName = "bpe_simple_vocab_16e6.txt.gz";

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<TokenizerFamily> family_of_model(std::string_view type, const fs::path& folder) {
  if (is_one_of(type, {"clip", "xclip"})) return TokenizerFamily::kClip;
  if (is_one_of(type, {"bert", "align", "flava", "vilt", "blip"})) return TokenizerFamily::kBert;
  if (is_one_of(type, {"roberta", "bridgetower"})) return TokenizerFamily::kRoberta;
  if (type == "gpt2") return TokenizerFamily::kGpt2;
  if (type == "opt") return TokenizerFamily::kOpt;
  if (type == "blip-2")
    return fs::exists(folder / "vocab.txt") ? TokenizerFamily::kBert : TokenizerFamily::kOpt;
  if (type == "siglip")
    return fs::exists(folder / "spiece.model") ? TokenizerFamily::kSiglip
                                               : TokenizerFamily::kSiglip2;
  return std::nullopt;
}

std::optional<TokenizerFamily> family_of(const fs::path& folder, const TokenizerConfig& config) {
  std::string_view name = config.tokenizer_class;
  bool is_opt = is_one_of(config.model_type, {"opt", "blip-2"}) || config.add_bos_token == true;
  if (name == "CLIPTokenizer") return TokenizerFamily::kClip;
  if (name == "GPT2Tokenizer") return is_opt ? TokenizerFamily::kOpt : TokenizerFamily::kGpt2;
  if (name == "RobertaTokenizer") return TokenizerFamily::kRoberta;
  if (name == "BertTokenizer") return TokenizerFamily::kBert;
  if (name == "SiglipTokenizer") return TokenizerFamily::kSiglip;
  if (is_one_of(name, {"Siglip2Tokenizer", "GemmaTokenizer"})) return TokenizerFamily::kSiglip2;
  if (std::optional<TokenizerFamily> found = family_of_model(config.model_type, folder))
    return found;
  if (fs::exists(folder / "tokenizer.json")) return std::nullopt;  // says everything itself
  if (fs::exists(folder / "open_clip_config.json") || fs::exists(folder / kSimpleVocabularyName))
    return TokenizerFamily::kOpenClip;
  if (fs::exists(folder / "vocab.txt")) return TokenizerFamily::kBert;
  if (fs::exists(folder / "spiece.model")) return TokenizerFamily::kSiglip;
  return std::nullopt;
}

void note(const TokenizerSource& source, const fs::path& path) {
  if (source.opened) source.opened->push_back(path);
}

std::unique_ptr<const Tokenizer> open_simple(const TokenizerSource& source) {
  fs::path path = source.folder / kSimpleVocabularyName;
  if (!fs::exists(path) && !source.clip_vocabulary.empty()) path = source.clip_vocabulary;
  if (!fs::exists(path)) {
    throw Error{ErrorCode::kNotFound,
                "open_clip's vocabulary is not there",
                path.string(),
                "./dev setup brings it into the data folder"};
  }
  note(source, path);
  MappedFile file(path);
  return std::make_unique<OpenClipTokenizer>(read_simple_vocabulary(file.bytes(), path.string()),
                                             path.string());
}

// What tokenizer.json leaves to its neighbours.
void complete(PipelineParts& parts,
              const std::optional<TokenizerFamily>& family,
              const TokenizerConfig& config) {
  bool wants_bos = config.add_bos_token.value_or(family == TokenizerFamily::kOpt);
  if (wants_bos && parts.frame.prefix.empty()) {
    std::string bos = config.content(SpecialToken::kBos, "</s>");
    parts.frame.prefix = {parts.model->vocabulary().require(bos, "the start token")};
  }
  if (family == TokenizerFamily::kSiglip2) {
    std::vector<NormalizerStep> steps = {Lowercase{}};
    steps.insert(steps.end(), parts.normalizer.steps().begin(), parts.normalizer.steps().end());
    parts.normalizer = Normalizer(std::move(steps));
  }
}

std::string kind_of(const std::optional<TokenizerFamily>& family, const SubwordModel& model) {
  if (family) return std::string(name_of(*family));
  return dynamic_cast<const BpeModel*>(&model) != nullptr ? "bpe" : "wordpiece";
}

std::unique_ptr<const Tokenizer> open_pipeline(const TokenizerSource& source,
                                               const std::optional<TokenizerFamily>& family,
                                               const TokenizerConfig& config) {
  fs::path json = source.folder / "tokenizer.json";
  PipelineParts parts;
  if (fs::exists(json)) {
    note(source, json);
    parts = read_tokenizer_json(MappedFile(json).bytes(), json.string());
    complete(parts, family, config);
  } else if (family) {
    parts = read_family_files(source.folder, *family, config);
    for (const char* name : {"vocab.txt", "vocab.json", "merges.txt"}) {
      const bool is_read =
          (*family == TokenizerFamily::kBert) == (name == std::string_view("vocab.txt"));
      if (is_read) note(source, source.folder / name);
    }
  } else {
    throw Error{ErrorCode::kNotFound,
                "no tokenizer files that name their family",
                source.folder.string(),
                fmt::format("pass the family: {}", fmt::join(tokenizer_family_names(), " "))};
  }
  TokenizerFacts facts = facts_of(parts, config);
  facts.kind = kind_of(family, *parts.model);
  // open_clip pads with zeros whatever the files say.
  const fs::path open_clip = source.folder / "open_clip_config.json";
  if (fs::exists(open_clip)) {
    note(source, open_clip);
    facts.pad_id = 0;
  }
  return std::make_unique<Pipeline>(std::move(parts), std::move(facts));
}

}  // namespace

std::string_view name_of(TokenizerFamily family) {
  return kFamilies[static_cast<size_t>(family)].second;
}

std::optional<TokenizerFamily> tokenizer_family_of(std::string_view name) {
  for (const auto& [family, known] : kFamilies)
    if (known == name) return family;
  return std::nullopt;
}

std::vector<std::string_view> tokenizer_family_names() {
  std::vector<std::string_view> names;
  names.reserve(kFamilies.size());
  for (const auto& entry : kFamilies) names.push_back(entry.second);
  return names;
}

std::unique_ptr<const Tokenizer> load_tokenizer(const TokenizerSource& source) {
  if (!fs::is_directory(source.folder)) {
    throw Error{ErrorCode::kNotFound,
                "is not a folder",
                source.folder.string(),
                "name the folder that holds tokenizer.json or the vocabulary"};
  }
  TokenizerConfig config = read_tokenizer_config(source.folder, source.opened);
  std::optional<TokenizerFamily> family =
      source.family ? source.family : family_of(source.folder, config);
  if (family == TokenizerFamily::kOpenClip) return open_simple(source);
  if (family == TokenizerFamily::kSiglip) {
    note(source, source.folder / "spiece.model");
    return open_siglip(source.folder, config);
  }
  return open_pipeline(source, family, config);
}

}  // namespace snellen::text
