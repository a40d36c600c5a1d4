// SPDX-License-Identifier: Apache-2.0
// What every architecture's test asks of its fixture in tests/golden/models: the numbers are the
// reference's, and those of a picture or text do not depend on what shares its batch.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/models/check/network_check.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"

namespace snellen::models {

struct LoadedFixture {
  explicit LoadedFixture(const std::string& name)
      : folder(std::filesystem::path(SNELLEN_SOURCE_DIR) / "tests/golden/models" / name),
        fixture(folder),
        checkpoint(folder) {
    for (const auto& architecture : built_in_networks()) {
      if (!network && architecture->reads(checkpoint)) network = architecture->load(checkpoint, {});
    }
  }

  std::filesystem::path folder;
  Fixture fixture;
  Checkpoint checkpoint;
  std::unique_ptr<Network> network;
};

inline void expect_fixture(const std::string& name) {
  LoadedFixture loaded(name);
  ASSERT_TRUE(loaded.network);
  for (const StageResult& stage : check_network(
           *loaded.network, loaded.fixture, stored_inputs(loaded.fixture), /*is_strict=*/true))
    EXPECT_TRUE(stage.is_equal) << stage.name << ": " << difference_text(stage);
}

inline void expect_near(std::span<const float> got,
                        std::span<const float> want,
                        const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  float peak = 0;
  for (float value : want) peak = std::max(peak, std::abs(value));
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], want[i], 1e-5 * peak) << what << " " << i;
}

// Texts alone, and in reverse order, against all together.
inline void expect_same_in_any_batch(const std::string& name) {
  LoadedFixture loaded(name);
  ASSERT_TRUE(loaded.network);
  NetworkCheckInputs inputs = stored_inputs(loaded.fixture);
  std::vector<TokenIds> texts;
  for (const TokenIds& text : inputs.tokens) {
    if (!text.empty()) texts.push_back(text);
  }
  std::vector<TokenIds> reversed(texts.rbegin(), texts.rend());
  auto compare = [&](auto rows_of) {
    Matrix all = rows_of(std::span<const TokenIds>(texts));
    Matrix backwards = rows_of(std::span<const TokenIds>(reversed));
    for (size_t i = 0; i < texts.size(); ++i) {
      expect_near(backwards.row(texts.size() - 1 - i), all.row(i), "reversed");
      Matrix alone = rows_of(std::span<const TokenIds>(&texts[i], 1));
      expect_near(alone.row(0), all.row(i), "alone");
    }
  };
  const Network& network = *loaded.network;
  if (network.dual())
    compare([&](std::span<const TokenIds> some) { return network.dual()->embed_texts(some); });
  if (network.video())
    compare([&](std::span<const TokenIds> some) { return network.video()->embed_texts(some); });
  if (network.encoder())
    compare([&](std::span<const TokenIds> some) { return network.encoder()->encode(some).mean; });
  std::shared_ptr<const SeenImage> seen;
  if (!inputs.pixels.empty() && !network.video()) {
    const FloatTensor& first = inputs.pixels[0];
    PixelsView view{
        .count = 1, .height = first.shape[1], .width = first.shape[2], .values = first.values};
    if (network.pair()) seen = network.pair()->see(view)[0];
    if (network.language()) seen = network.language()->see(view)[0];
  }
  if (network.pair())
    compare([&](std::span<const TokenIds> some) { return network.pair()->match(*seen, some); });
  if (network.language()) {
    compare([&](std::span<const TokenIds> some) {
      Matrix sums{.num_rows = some.size(), .num_columns = 1, .values = {}};
      for (const std::vector<double>& row :
           network.language()->log_probabilities(some, seen.get())) {
        double sum = 0;
        for (double value : row) sum += value;
        sums.values.push_back(static_cast<float>(sum));
      }
      return sums;
    });
  }
}

}  // namespace snellen::models
