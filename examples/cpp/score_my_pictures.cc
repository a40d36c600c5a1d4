// SPDX-License-Identifier: Apache-2.0
// Scores pictures with texts by a dual encoder, from a checkpoint folder as it was downloaded:
//   score_my_pictures MODEL "a red cat|a blue dog" one.jpg two.png ...
// Prints a line per picture: the scores of the texts, as the model scales them.
#include <iostream>
#include <sstream>

#include "snellen/base/error.h"
#include "snellen/inference/network_parts.h"
#include "snellen/inference/session.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/models/similarity.h"

namespace {

using namespace snellen;

models::Matrix embed_pictures(const models::DualEncoder& encoder,
                              const media::ImageProcessor& processor,
                              const std::vector<std::string>& files) {
  models::Matrix rows;
  for (const std::string& file : files) {
    // Result::value() throws the Error of a picture that cannot be read.
    const media::PixelTensor pixels = processor.process(media::read_image(file).value()).value();
    const models::Matrix row = encoder.embed_images(
        {.count = 1, .height = pixels.height, .width = pixels.width, .values = pixels.values});
    rows.num_rows += 1;
    rows.num_columns = row.num_columns;
    rows.values.insert(rows.values.end(), row.values.begin(), row.values.end());
  }
  return rows;
}

void score(const std::string& folder,
           const std::vector<std::string>& texts,
           const std::vector<std::string>& files) {
  const inference::OpenedNetwork opened =
      inference::open_network({.module = SNELLEN_NETWORKS_MODULE}, {.model = folder});
  const models::Network& network = *opened.network;
  const models::DualEncoder* encoder = network.dual();
  if (encoder == nullptr) throw Error{ErrorCode::kUsage, "is not a dual encoder", folder};

  std::vector<models::TokenIds> tokens;
  const auto max_tokens = static_cast<size_t>(network.facts().max_text_tokens);
  for (const std::string& one : texts)
    tokens.push_back(opened.tokenizer->encode(one, {.max_length = max_tokens}).ids);
  const models::Matrix scores =
      models::score_all(embed_pictures(*encoder, *opened.processor, files),
                        encoder->embed_texts(tokens),
                        encoder->similarity(network.facts().heads.front()));
  for (size_t i = 0; i < files.size(); ++i) {
    std::cout << files[i];
    for (float value : scores.row(i)) std::cout << '\t' << value;
    std::cout << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "score_my_pictures MODEL \"TEXT|TEXT\" PICTURE...\n";
    return 2;
  }
  std::vector<std::string> texts;
  std::istringstream list(argv[2]);
  for (std::string one; std::getline(list, one, '|');) texts.push_back(one);
  try {
    score(argv[1], texts, {argv + 3, argv + argc});
  } catch (const snellen::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
