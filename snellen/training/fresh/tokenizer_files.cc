// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/fresh/tokenizer_files.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/ascii.h"
#include "snellen/base/files.h"
#include "snellen/text/tokenizers/byte_letters.h"
#include "snellen/training/data/clip_items.h"
#include "snellen/training/data/world_prompts.h"
#include "snellen/training/fresh/pair_merges.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The words of the world are far fewer: each becomes one token.
constexpr size_t kMostMerges = 4000;
constexpr uint64_t kScenes = 2000;
constexpr uint64_t kClips = 400;
// The world whose texts are counted; every world has the same words.
constexpr uint64_t kWorld = 1;

enum class Kind { kLetter, kDigit, kSpace, kOther };

Kind kind_of(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Kind::kLetter;
  if (c >= '0' && c <= '9') return Kind::kDigit;
  return c == ' ' || c == '\n' || c == '\t' ? Kind::kSpace : Kind::kOther;
}

// Runs of letters, single digits and runs of other marks, without the spaces between them, or with
// one space before each.
std::map<std::string, uint64_t> counted(const std::vector<std::string>& texts, bool keeps_space) {
  std::map<std::string, uint64_t> words;
  for (const std::string& text : texts) {
    bool has_space = false;
    for (size_t i = 0; i < text.size();) {
      Kind kind = kind_of(text[i]);
      size_t end = i + 1;
      while (kind != Kind::kDigit && end < text.size() && kind_of(text[end]) == kind) ++end;
      if (kind != Kind::kSpace)
        ++words[(keeps_space && has_space ? " " : "") + text.substr(i, end - i)];
      has_space = kind == Kind::kSpace;
      i = end;
    }
  }
  return words;
}

std::vector<std::string> lower_case(std::vector<std::string> texts) {
  for (std::string& text : texts) text = ascii_lower(text);
  return texts;
}

// The letters that byte-level vocabularies write for the bytes of a word.
std::vector<std::string> letters_of(const std::string& word) {
  std::vector<std::string> letters;
  for (char byte : word) letters.push_back(text::as_letters({&byte, 1}));
  return letters;
}

struct PairFiles {
  std::vector<std::string> vocabulary;
  std::string merges = "#version: 0.2\n";
};

// `closing` is put behind the last letter of a word; the vocabulary then has every letter twice.
PairFiles learnt_pairs(const std::map<std::string, uint64_t>& counts, const std::string& closing) {
  CountedWords words;
  for (const auto& [word, count] : counts) {
    std::vector<std::string> letters = letters_of(word);
    letters.back() += closing;
    words[letters] += count;
  }
  PairFiles files;
  std::vector<std::string> letters;
  for (uint8_t byte : text::bytes_in_vocabulary_order()) {
    auto character = static_cast<char>(byte);
    letters.push_back(text::as_letters({&character, 1}));
  }
  files.vocabulary = letters;
  if (!closing.empty()) {
    for (const std::string& letter : letters) files.vocabulary.push_back(letter + closing);
  }
  for (const auto& [left, right] : learn_merges(std::move(words), kMostMerges)) {
    files.merges += fmt::format("{} {}\n", left, right);
    files.vocabulary.push_back(left + right);
  }
  return files;
}

void write_pairs(const fs::path& folder, const PairFiles& files) {
  Json vocabulary = Json::object();
  int64_t id = 0;
  for (const std::string& piece : files.vocabulary) vocabulary[piece] = id++;
  write_text_file(folder / "vocab.json", vocabulary.dump() + "\n");
  write_text_file(folder / "merges.txt", files.merges);
}

void write_config(const fs::path& folder, const Json& config) {
  write_text_file(folder / "tokenizer_config.json", config.dump(2) + "\n");
}

}  // namespace

std::vector<std::string> vocabulary_texts() {
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < kScenes; ++i) {
    Rng rng = Rng(kWorld).fork("train-vocabulary").fork(i);
    texts.push_back(drawn_text(rng, training_scene(kWorld, i)));
  }
  for (uint64_t i = 0; i < kClips; ++i) {
    for (ClipItem& item : items_of(training_clip(kWorld, i)))
      texts.push_back(std::move(item.caption));
  }
  return texts;
}

TokenizerIds write_clip_tokenizer(const fs::path& folder,
                                  const std::vector<std::string>& texts,
                                  size_t max_tokens) {
  PairFiles files = learnt_pairs(counted(lower_case(texts), /*keeps_space=*/false), "</w>");
  files.vocabulary.emplace_back("<|startoftext|>");
  files.vocabulary.emplace_back("<|endoftext|>");
  write_pairs(folder, files);
  write_config(folder,
               {{"tokenizer_class", "CLIPTokenizer"},
                {"bos_token", "<|startoftext|>"},
                {"eos_token", "<|endoftext|>"},
                {"pad_token", "<|endoftext|>"},
                {"unk_token", "<|endoftext|>"},
                {"model_max_length", max_tokens}});
  int64_t count = std::ssize(files.vocabulary);
  return {.vocabulary = count, .start = count - 2, .end = count - 1, .padding = count - 1};
}

TokenizerIds write_gpt2_tokenizer(const fs::path& folder,
                                  const std::vector<std::string>& texts,
                                  size_t max_tokens) {
  PairFiles files = learnt_pairs(counted(texts, /*keeps_space=*/true), "");
  files.vocabulary.emplace_back("<|endoftext|>");
  write_pairs(folder, files);
  write_config(folder,
               {{"tokenizer_class", "GPT2Tokenizer"},
                {"bos_token", "<|endoftext|>"},
                {"eos_token", "<|endoftext|>"},
                {"unk_token", "<|endoftext|>"},
                {"model_max_length", max_tokens}});
  int64_t count = std::ssize(files.vocabulary);
  return {.vocabulary = count, .start = count - 1, .end = count - 1, .padding = count - 1};
}

TokenizerIds write_bert_tokenizer(const fs::path& folder,
                                  const std::vector<std::string>& texts,
                                  size_t max_tokens) {
  std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  std::vector<std::string> characters;
  for (char c = '!'; c <= '~'; ++c) {
    if (c < 'A' || c > 'Z') characters.emplace_back(1, c);
  }
  pieces.insert(pieces.end(), characters.begin(), characters.end());
  for (const std::string& character : characters) pieces.push_back("##" + character);
  for (const auto& [word, count] : counted(lower_case(texts), /*keeps_space=*/false)) {
    if (word.size() > 1 && kind_of(word[0]) == Kind::kLetter) pieces.push_back(word);
  }
  std::string file;
  for (const std::string& piece : pieces) file += piece + "\n";
  write_text_file(folder / "vocab.txt", file);
  write_config(folder,
               {{"tokenizer_class", "BertTokenizer"},
                {"do_lower_case", true},
                {"cls_token", "[CLS]"},
                {"sep_token", "[SEP]"},
                {"pad_token", "[PAD]"},
                {"unk_token", "[UNK]"},
                {"mask_token", "[MASK]"},
                {"model_max_length", max_tokens}});
  return {.vocabulary = std::ssize(pieces), .start = 2, .end = 3, .padding = 0};
}

}  // namespace snellen::training
