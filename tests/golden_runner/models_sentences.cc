// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_sentences.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/text/tokenizers/load_tokenizer.h"
#include "tests/golden_runner/models_network.h"

namespace snellen::golden {
namespace {

// BERT-L2/CS reads the first 16 tokens (docs/spec/models.md 4.8).
constexpr size_t kFirstTokens = 16;

std::vector<models::TokenIds> encode_all(const text::Tokenizer& tokenizer,
                                         const Json& texts,
                                         size_t max_length) {
  std::vector<models::TokenIds> all;
  for (const Json& text : texts) {
    std::vector<text::TokenId> ids =
        tokenizer.encode(text.get<std::string>(), {.max_length = max_length}).ids;
    all.emplace_back(ids.begin(), ids.end());
  }
  return all;
}

// Rows against rows; `tolerance` is absolute.
void compare(const models::Matrix& got, const Json& want, double tolerance, Tally& tally) {
  double worst = 0;
  for (size_t i = 0; i < got.num_rows; ++i) {
    for (size_t j = 0; j < got.num_columns; ++j)
      worst = std::max(worst, std::abs(double{got.row(i)[j]} - want.at(i).at(j).get<double>()));
  }
  tally.expect(worst <= tolerance, fmt::format("differ by {:.3g}", worst));
}

void normalize_rows(models::Matrix& matrix) {
  for (size_t i = 0; i < matrix.num_rows; ++i) {
    std::span<float> row =
        std::span(matrix.values).subspan(i * matrix.num_columns, matrix.num_columns);
    double squares = 0;
    for (float value : row) squares += double{value} * value;
    for (float& value : row) value = static_cast<float>(value / std::sqrt(squares));
  }
}

double largest_of(const Json& rows) {
  double largest = 0;
  for (const Json& row : rows) {
    for (const Json& value : row) largest = std::max(largest, std::abs(value.get<double>()));
  }
  return largest;
}

}  // namespace

void check_sentences(const Context& context, Tally& tally) {
  std::filesystem::path folder = context.find_data("minilm/vocab.txt").parent_path();
  if (folder.empty()) return tally.skip("the real model is not there (data minilm/)");
  const Json expected = context.json();
  std::unique_ptr<const text::Tokenizer> tokenizer =
      text::load_tokenizer({.folder = folder, .family = {}, .clip_vocabulary = {}});
  std::vector<models::TokenIds> tokens =
      encode_all(*tokenizer, expected["texts"], expected["max_length"].get<size_t>());
  for (size_t i = 0; i < tokens.size(); ++i) {
    tally.start(fmt::format("tokens of text {}", i));
    tally.expect(tokens[i] == expected["tokens"][i].get<models::TokenIds>(), "ids differ");
  }
  std::unique_ptr<models::Network> network = load_network(folder);
  if (!network) return tally.pending("the network (this build has no torch)");
  models::Matrix sentences = network->encoder()->encode(tokens).mean;
  normalize_rows(sentences);
  tally.start("sentence_vectors");
  compare(sentences, expected["sentence_vectors"], 1e-5, tally);
  models::Matrix first =
      network->encoder()->encode(encode_all(*tokenizer, expected["texts"], kFirstTokens)).first;
  tally.start("cls_first16");
  compare(first, expected["cls_first16"], 1e-4 * largest_of(expected["cls_first16"]), tally);
}

}  // namespace snellen::golden
