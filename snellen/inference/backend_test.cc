// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/backend.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::inference {
namespace {

using models::Matrix;
using models::PixelsView;
using models::TokenIds;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::FloatEq;

// A picture is known by its first value, a text by its first token.
struct Seen : models::SeenImage {
  explicit Seen(float first) : value(first) {}
  float value;
};

class FakeNetwork : public models::Network,
                    public models::DualEncoder,
                    public models::PairScorer,
                    public models::VideoEncoder,
                    public models::LanguageModel {
 public:
  enum class Kind { kDual, kPair, kVideo, kLanguage, kNone };
  FakeNetwork(Kind kind, std::vector<std::string> heads) : kind_(kind) {
    facts_ = {.family = "fake", .heads = std::move(heads)};
  }

  const models::NetworkFacts& facts() const override { return facts_; }
  std::span<const std::string> unused_weights() const override { return {}; }
  const models::DualEncoder* dual() const override {
    return kind_ == Kind::kDual || kind_ == Kind::kPair ? this : nullptr;
  }
  const models::PairScorer* pair() const override { return kind_ == Kind::kPair ? this : nullptr; }
  const models::VideoEncoder* video() const override {
    return kind_ == Kind::kVideo ? this : nullptr;
  }
  const models::LanguageModel* language() const override {
    return kind_ == Kind::kLanguage ? this : nullptr;
  }

  // Rows (3, 4) times the first value: their length is 5 times it.
  Matrix embed_images(const PixelsView& pixels, models::Trace*) const override {
    const float first = pixels.values.front();
    return {1, 2, {3 * first, 4 * first}};
  }
  Matrix embed_texts(std::span<const TokenIds> texts, models::Trace*) const override {
    Matrix rows{texts.size(), 2, {}};
    for (const TokenIds& text : texts) {
      rows.values.push_back(static_cast<float>(text.front()));
      rows.values.push_back(0);
    }
    return rows;
  }
  models::Similarity similarity(std::string_view) const override {
    return {.scale = 10, .bias = 1, .is_cosine = true};
  }

  models::SeenImages see(const PixelsView& pixels, models::Trace*) const override {
    return {std::make_shared<Seen>(pixels.values.front())};
  }
  // Two logits a text: the second one counts.
  Matrix match(const models::SeenImage& image,
               std::span<const TokenIds> texts,
               models::Trace*) const override {
    Matrix logits{texts.size(), 2, {}};
    for (const TokenIds& text : texts) {
      logits.values.push_back(-1);
      logits.values.push_back(static_cast<const Seen&>(image).value +
                              static_cast<float>(text.front()));
    }
    return logits;
  }
  size_t score_column() const override { return 1; }

  int64_t num_frames() const override { return 3; }
  // The sum of the frames' first values.
  Matrix embed_clips(const PixelsView& pixels, models::Trace*) const override {
    float sum = 0;
    for (int64_t frame = 0; frame < pixels.count; ++frame)
      sum += pixels.values[static_cast<size_t>(frame * 3 * pixels.height * pixels.width)];
    return {1, 1, {sum}};
  }
  Matrix score(const Matrix& clips, const Matrix& texts, models::Trace*) const override {
    return {1, 1, {clips.values.front() * texts.values.front()}};
  }

  // log p of every token but the first is -its id, plus what the picture says.
  std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                     const models::SeenImage* image,
                                                     models::Trace*) const override {
    std::vector<std::vector<double>> all;
    for (const TokenIds& text : texts) {
      all.push_back({0});
      for (size_t i = 1; i < text.size(); ++i)
        all.back().push_back((image ? double{static_cast<const Seen&>(*image).value} : 0.0) -
                             text[i]);
    }
    return all;
  }

 private:
  Kind kind_;
  models::NetworkFacts facts_;
};

// What a backend is made of, kept as long as it is.
struct Asked {
  Asked(FakeNetwork::Kind kind, const std::string& head, bool looks = true) {
    opened.network = std::make_unique<FakeNetwork>(kind, std::vector{head});
    if (looks) opened.processor = std::make_unique<media::ImageProcessor>(media::ProcessorConfig{});
    parts.opened = &opened;
    parts.head = head;
  }

  std::unique_ptr<Backend> backend() const { return make_backend(parts); }

  OpenedNetwork opened;
  NetworkParts parts;
};

// `frames` pictures of one pixel; the first value of each is given.
PixelBatch batch_of(const std::vector<float>& firsts, bool is_clip = false) {
  PixelBatch batch;
  batch.num_frames = static_cast<int64_t>(firsts.size());
  batch.height = batch.width = 1;
  batch.has_clips = is_clip;
  for (float first : firsts) batch.values.insert(batch.values.end(), {first, 0, 0});
  return batch;
}

TEST(DualBackend, ScoresTheScaledCosineOfTwoRows) {
  const Asked asked(FakeNetwork::Kind::kDual, "itc");
  const auto backend = asked.backend();
  PixelBatch batch = batch_of({2});
  Matrix visual = backend->embed_visuals(batch);
  backend->make_visual_ready(visual.values);
  EXPECT_THAT(visual.values, ElementsAre(FloatEq(0.6F), FloatEq(0.8F)));
  const std::vector<TokenIds> tokens = {{7}, {-2}};
  Matrix texts = backend->embed_texts(tokens);
  for (size_t i = 0; i < 2; ++i)
    backend->make_text_ready(std::span(texts.values).subspan(2 * i, 2));
  EXPECT_THAT(texts.values, ElementsAre(1, 0, -1, 0));
  EXPECT_NEAR(backend->score(visual.row(0), texts.row(0)), 10 * 0.6 + 1, 1e-6);
  EXPECT_NEAR(backend->score(visual.row(0), texts.row(1)), 10 * -0.6 + 1, 1e-6);
  EXPECT_TRUE(backend->traits().has_rows_per_frame);
  EXPECT_EQ(backend->traits().clip_kind, questions::ScoreKind::kProbability);
}

TEST(DualBackend, TakesLargerJobsOnAGpu) {
  Asked asked(FakeNetwork::Kind::kDual, "itc");
  EXPECT_EQ(asked.backend()->traits().visuals_per_job, 8U);
  asked.parts.gpu_batch = 512;
  EXPECT_EQ(asked.backend()->traits().visuals_per_job, 512U);
}

TEST(PairBackend, GivesTheColumnThatCounts) {
  const Asked asked(FakeNetwork::Kind::kPair, "itm");
  const auto backend = asked.backend();
  EXPECT_TRUE(backend->traits().table.has_pairs);
  const std::vector<float> values = {5, 0, 0};
  const models::SeenImages seen =
      backend->see({.count = 1, .height = 1, .width = 1, .values = values});
  const std::vector<TokenIds> tokens = {{1}, {4}};
  EXPECT_THAT(backend->match(*seen.front(), tokens), ElementsAre(DoubleEq(6), DoubleEq(9)));
}

TEST(PairBackend, IsTheDualOneForTheOtherHead) {
  const Asked asked(FakeNetwork::Kind::kPair, "itc");
  EXPECT_FALSE(asked.backend()->traits().table.has_pairs);
}

TEST(VideoBackend, ShowsAStillPictureAsAClipThatDoesNotMove) {
  const Asked asked(FakeNetwork::Kind::kVideo, "itc");
  const auto backend = asked.backend();
  EXPECT_EQ(backend->traits().frames_per_clip, 3);
  PixelBatch still = batch_of({2});
  const Matrix row = backend->embed_visuals(still);
  EXPECT_THAT(row.values, ElementsAre(6));
  const std::vector<TokenIds> tokens = {{5}};
  EXPECT_EQ(backend->score(row.row(0), backend->embed_texts(tokens).row(0)), 30);
}

TEST(VideoBackend, RefusesAClipOfAnotherLength) {
  const Asked asked(FakeNetwork::Kind::kVideo, "itc");
  const auto backend = asked.backend();
  PixelBatch whole = batch_of({1, 2, 4}, /*is_clip=*/true);
  EXPECT_THAT(backend->embed_visuals(whole).values, ElementsAre(7));
  PixelBatch cut = batch_of({1, 2}, /*is_clip=*/true);
  EXPECT_THROW(backend->embed_visuals(cut), Error);
}

TEST(LikelihoodBackend, ScoresTheMeanLogProbabilityAfterTheFirstToken) {
  Asked asked(FakeNetwork::Kind::kLanguage, "likelihood", /*looks=*/false);
  const std::vector<TokenIds> tokens = {{9, 2, 4}, {9, 1}};
  const Matrix rows = asked.backend()->embed_texts(tokens);
  EXPECT_THAT(rows.values, ElementsAre(FloatEq(-3), FloatEq(-1)));
  EXPECT_EQ(asked.backend()->score({}, rows.row(1)), rows.row(1).front());
  EXPECT_FALSE(asked.backend()->traits().table.has_visuals);
  // The reference divides by all three tokens.
  asked.parts.is_compat = true;
  EXPECT_THAT(asked.backend()->embed_texts(tokens).values,
              ElementsAre(FloatEq(-2), FloatEq(-0.5F)));
}

TEST(LikelihoodBackend, RefusesATextOfOneTokenUnlessTheReferenceTakesIt) {
  Asked asked(FakeNetwork::Kind::kLanguage, "likelihood", /*looks=*/false);
  EXPECT_TRUE(asked.backend()->refuse({9}, "one"));
  EXPECT_FALSE(asked.backend()->refuse({9, 1}, "two"));
  asked.parts.is_compat = true;
  EXPECT_FALSE(asked.backend()->refuse({9}, "one"));
}

TEST(LikelihoodBackend, AfterAPictureTellsOfBoth) {
  const Asked asked(FakeNetwork::Kind::kLanguage, "likelihood");
  const auto backend = asked.backend();
  EXPECT_TRUE(backend->traits().table.has_pairs);
  const std::vector<float> values = {0.5F, 0, 0};
  const models::SeenImages seen =
      backend->see({.count = 1, .height = 1, .width = 1, .values = values});
  const std::vector<TokenIds> tokens = {{9, 2, 4}};
  EXPECT_THAT(backend->match(*seen.front(), tokens), ElementsAre(testing::DoubleNear(-2.5, 1e-12)));
}

TEST(Backend, NamesTheHeadsThatThereAre) {
  Asked asked(FakeNetwork::Kind::kDual, "itc");
  asked.parts.head = "itm";
  try {
    asked.backend();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("itc"));
  }
}

TEST(Backend, RefusesANetworkThatScoresNothing) {
  const Asked asked(FakeNetwork::Kind::kNone, "encode");
  EXPECT_THROW(asked.backend(), Error);
}

}  // namespace
}  // namespace snellen::inference
