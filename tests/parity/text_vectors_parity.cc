// SPDX-License-Identifier: Apache-2.0
// text_vectors_parity MODULE FOLDER FILE: FILE holds {"texts", "max_length"}. Prints the vector of
// each text's first token at the last layer of a BERT folder, for tools/parity/language.py.
#include <iostream>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network_module.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

int main(int argc, char** argv) {
  namespace models = snellen::models;
  using Json = nlohmann::json;
  if (argc != 4) return 2;
  const models::NetworkModule module(argv[1]);
  const models::Checkpoint checkpoint(argv[2]);
  const std::unique_ptr<const models::Network> network =
      module.architecture_of(checkpoint).load(checkpoint, {});
  const std::unique_ptr<const snellen::text::Tokenizer> tokenizer =
      snellen::text::load_tokenizer({.folder = argv[2], .family = {}, .clip_vocabulary = {}});
  const Json asked = Json::parse(snellen::read_text_file(argv[3], size_t{1} << 26U));
  std::vector<models::TokenIds> tokens;
  for (const Json& text : asked["texts"])
    tokens.push_back(
        tokenizer->encode(text.get<std::string>(), {.max_length = asked["max_length"]}).ids);
  const models::Matrix vectors = network->encoder()->encode(tokens).first;
  Json rows = Json::array();
  for (size_t i = 0; i < vectors.num_rows; ++i) {
    const auto row = vectors.row(i);
    rows.push_back(std::vector<float>(row.begin(), row.end()));
  }
  std::cout << rows << "\n";
}
