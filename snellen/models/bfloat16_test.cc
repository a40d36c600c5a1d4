// SPDX-License-Identifier: Apache-2.0
// The zoo in bfloat16 on the CPU: it runs, and orders texts and pictures as float32 does.
#include <cstdlib>

#include <gtest/gtest.h>

#include "snellen/models/similarity.h"
#include "snellen/testing/fixture_expectations.h"

namespace snellen::models {
namespace {

// oneDNN takes a processor's word for tile products, and some end a program that uses them; the
// program asks the processor first (snellen/inference/tile_unit.h), the test does without.
class NoTileProducts : public ::testing::Environment {
 public:
  void SetUp() override { ::setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", 0); }
};
const ::testing::Environment* const kNoTileProducts =
    ::testing::AddGlobalTestEnvironment(new NoTileProducts);

// The default score of every text with every picture or clip; of texts alone, one row.
std::vector<std::vector<double>> scores_of(const Network& network, const Fixture& fixture) {
  NetworkCheckInputs inputs = stored_inputs(fixture);
  std::vector<TokenIds> texts;
  for (const TokenIds& text : inputs.tokens) {
    if (!text.empty()) texts.push_back(text);
  }
  std::vector<std::vector<double>> rows;
  auto add = [&](std::span<const float> row) { rows.emplace_back(row.begin(), row.end()); };
  auto add_likelihoods = [&](const SeenImage* image) {
    rows.emplace_back();
    for (const std::vector<double>& one : network.language()->log_probabilities(texts, image)) {
      double sum = 0;
      for (double value : one) sum += value;
      rows.back().push_back(sum);
    }
  };
  if (network.language() && inputs.pixels.empty()) add_likelihoods(nullptr);
  if (network.encoder()) {
    TextEncoder::Encoded encoded = network.encoder()->encode(texts);
    for (size_t i = 0; i < encoded.mean.num_rows; ++i) add(encoded.mean.row(i));
  }
  for (const FloatTensor& one : inputs.pixels) {
    size_t rank = one.shape.size();
    PixelsView view{.count = rank == 4 ? one.shape[0] : 1,
                    .height = one.shape[rank - 2],
                    .width = one.shape[rank - 1],
                    .values = one.values};
    if (network.video()) {
      const VideoEncoder& video = *network.video();
      add(video.score(video.embed_clips(view), video.embed_texts(texts)).row(0));
    } else if (network.pair()) {
      rows.emplace_back();
      Matrix logits = network.pair()->match(*network.pair()->see(view)[0], texts);
      for (size_t i = 0; i < logits.num_rows; ++i)
        rows.back().push_back(logits.row(i)[network.pair()->score_column()]);
    } else if (network.dual()) {
      const DualEncoder& dual = *network.dual();
      add(score_all(dual.embed_images(view),
                    dual.embed_texts(texts),
                    dual.similarity(network.facts().heads[0]))
              .row(0));
    } else if (network.language()) {
      add_likelihoods(network.language()->see(view)[0].get());
    }
  }
  return rows;
}

// Of the pairs of one row that float32 tells apart by more than a hundredth of the row's spread,
// the share that bfloat16 orders alike.
double rank_agreement(const std::vector<std::vector<double>>& exact,
                      const std::vector<std::vector<double>>& rough) {
  size_t num_alike = 0, num_pairs = 0;
  for (size_t row = 0; row < exact.size(); ++row) {
    const std::vector<double>& a = exact[row];
    auto [low, high] = std::minmax_element(a.begin(), a.end());
    double least = (*high - *low) / 100;
    for (size_t i = 0; i < a.size(); ++i) {
      for (size_t j = i + 1; j < a.size(); ++j) {
        if (std::abs(a[i] - a[j]) <= least) continue;
        ++num_pairs;
        num_alike += (a[i] < a[j]) == (rough[row][i] < rough[row][j]) ? 1 : 0;
      }
    }
  }
  return static_cast<double>(num_alike) / static_cast<double>(num_pairs);
}

class BFloat16 : public ::testing::TestWithParam<const char*> {};

TEST_P(BFloat16, OrdersScoresAsFloat32Does) {
  LoadedFixture exact(GetParam());
  ASSERT_TRUE(exact.network);
  std::unique_ptr<Network> rough;
  for (const auto& architecture : built_in_networks()) {
    if (!rough && architecture->reads(exact.checkpoint))
      rough = architecture->load(exact.checkpoint, {.dtype = ElementKind::kBFloat16});
  }
  double agreement =
      rank_agreement(scores_of(*exact.network, exact.fixture), scores_of(*rough, exact.fixture));
  RecordProperty("agreement", std::to_string(agreement));
  EXPECT_GE(agreement, 0.95);
}

INSTANTIATE_TEST_SUITE_P(Zoo,
                         BFloat16,
                         ::testing::Values("align",
                                           "bert_bin",
                                           "blip2_itr",
                                           "blip2_opt",
                                           "blip_itm",
                                           "bridgetower_itc",
                                           "clip",
                                           "flava",
                                           "gpt2_sharded",
                                           "openclip_rn",
                                           "openclip_vit",
                                           "opt",
                                           "siglip",
                                           "vilt",
                                           "xclip"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace snellen::models
