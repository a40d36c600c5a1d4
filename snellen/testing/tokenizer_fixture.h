// SPDX-License-Identifier: Apache-2.0
// Small tokenizers for tests: a folder that lives as long as the test, and parts to fill it with.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "snellen/base/files.h"
#include "snellen/text/tokenizers/byte_letters.h"
#include "snellen/text/utf8.h"

namespace snellen::text {

class TokenizerFolder {
 public:
  explicit TokenizerFolder(std::string_view name)
      : path_(std::filesystem::temp_directory_path() /
              ("snellen_" + std::string(name) + "_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TokenizerFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TokenizerFolder(const TokenizerFolder&) = delete;
  TokenizerFolder& operator=(const TokenizerFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view name, std::string_view bytes) const {
    write_text_file(path_ / name, bytes);
  }

 private:
  std::filesystem::path path_;
};

// CLIP's files with the merges t+h, th+e</w> and d+o, do+g</w>: "the" is 514, "dog" is 515.
inline void write_small_clip(const TokenizerFolder& folder) {
  std::string vocab = "{";
  int next = 0;
  auto add = [&](const std::string& token) {
    std::string escaped = token == "\"" || token == "\\" ? "\\" + token : token;
    if (token.starts_with("\"<") || token.starts_with("\\<")) escaped = "\\" + token;
    vocab += (next == 0 ? "\"" : ",\"") + escaped + "\":" + std::to_string(next);
    ++next;
  };
  for (const char* end : {"", "</w>"}) {
    for (uint8_t byte : bytes_in_vocabulary_order()) {
      std::string token;
      append_utf8(token, letters_of_bytes()[byte]);
      add(token + end);
    }
  }
  for (const char* token : {"th", "do", "the</w>", "dog</w>", "<|startoftext|>", "<|endoftext|>"})
    add(token);
  folder.write("vocab.json", vocab + "}");
  folder.write("merges.txt", "#version: 0.2\nt h\nd o\nth e</w>\ndo g</w>\n");
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "CLIPTokenizer", "model_max_length": 77,
                   "bos_token": "<|startoftext|>", "eos_token": {"content": "<|endoftext|>"},
                   "pad_token": "<|endoftext|>", "unk_token": "<|endoftext|>"})");
}

// BERT's files: [PAD] [UNK] [CLS] [SEP] the dog ##s run ##ning , a cafe
inline void write_small_bert(const TokenizerFolder& folder) {
  folder.write("vocab.txt",
               "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ndog\n##s\nrun\n##ning\n,\na\ncafe\n\u4E2D\n");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizerFast"})");
}

}  // namespace snellen::text
