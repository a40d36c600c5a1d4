// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/protocol.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::models::exec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ExecProtocol, WritesARequestOnOneLineWhateverTheTextsHold) {
  Request request;
  request.id = "a/0";
  request.visual.image = "/x/y.jpg";
  request.texts = {"a\nb", "\"\xff"};
  EXPECT_EQ(score_line(request),
            "{\"op\": \"score\", \"id\": \"a/0\", \"image\": \"/x/y.jpg\", \"video\": null, "
            "\"frames_dir\": null, \"pixels\": null, \"start\": null, \"end\": null, \"unit\": "
            "\"sec\", \"fps\": null, \"texts\": [\"a\\nb\", \"\\\"\\ufffd\"]}\n");
}

TEST(ExecProtocol, WritesTheWindowOfAClipAndItsPixels) {
  Request request;
  request.id = "c";
  request.visual.video = "/c.mp4";
  request.visual.pixels = {"/dev/shm/p", 4, 32, 160};
  request.visual.window = {.start = 1.5, .end = 3, .unit = media::ClipUnit::kFrames};
  request.visual.fps = 25;
  std::string line = score_line(request);
  EXPECT_THAT(line, HasSubstr("\"start\": 1.5, \"end\": 3.0, \"unit\": \"frame\", \"fps\": 25.0"));
  EXPECT_THAT(line,
              HasSubstr("{\"path\": \"/dev/shm/p\", \"frames\": 4, \"height\": 32, \"width\": 160, "
                        "\"format\": \"rgb24\"}"));
}

TEST(ExecProtocol, ReadsWhatAnAdapterSaysOfItself) {
  Result<Ready> ready = read_ready(
      R"({"ready": true, "mode": "perplexity", "name": "mine", "max_texts": 2, "wants": "pixels",
          "max_in_flight": null, "identity": "abc"})");
  ASSERT_TRUE(ready) << ready.error().what();
  EXPECT_EQ(ready->mode, Mode::kPerplexity);
  EXPECT_EQ(ready->wants, Wants::kPixels);
  EXPECT_EQ(ready->name, "mine");
  EXPECT_EQ(ready->identity, "abc");
  EXPECT_EQ(ready->max_texts, 2U);
  EXPECT_EQ(ready->max_in_flight, 0U);
  EXPECT_EQ(read_ready(R"({"ready": true})")->mode, Mode::kSimilarity);
}

TEST(ExecProtocol, RefusesWhatIsNoReady) {
  for (const char* line : {"",
                           "[]",
                           "loading...",
                           "{}",
                           R"({"ready": false})",
                           R"({"ready": true, "mode": "loss"})",
                           R"({"ready": true, "wants": 3})",
                           R"({"ready": true, "max_texts": 0})",
                           R"({"ready": true, "max_in_flight": -1})"})
    EXPECT_FALSE(read_ready(line)) << line;
  EXPECT_THAT(read_ready(R"({"ready": true, "version": 2})").error().message(),
              HasSubstr("speaks version 2"));
  EXPECT_EQ(read_ready(R"({"error": "no weights"})").error().message(), "no weights");
}

TEST(ExecProtocol, ReadsScoresAndErrors) {
  EXPECT_THAT(*read_reply(R"({"id": "x", "scores": [1, -2.5, 1e-3]})")->scores,
              ElementsAre(1, -2.5, 1e-3));
  Result<Reply> reply = read_reply(R"({"id": "x", "error": "too dark"})");
  EXPECT_EQ(reply->scores.error().message(), "the adapter says: too dark");
}

TEST(ExecProtocol, AScoreThatIsNoFiniteNumberFailsItsRequestAlone) {
  for (const char* scores : {"[1, NaN]", "[-Infinity]", "[Infinity]", "[null]", "[\"1\"]", "7"}) {
    Result<Reply> reply = read_reply(std::string(R"({"id": "NaN", "scores": )") + scores + "}");
    ASSERT_TRUE(reply) << scores;
    EXPECT_EQ(reply->id, "NaN");
    EXPECT_FALSE(reply->scores) << scores;
  }
  EXPECT_FALSE(read_reply(R"({"id": "x"})")->scores);
}

TEST(ExecProtocol, ALineThatNamesNoRequestIsAnError) {
  for (const char* line :
       {"", "x", "[1]", "{", R"({"scores": [1]})", R"({"id": 3, "scores": [1]})", "NaN"})
    EXPECT_FALSE(read_reply(line)) << line;
}

TEST(ExecProtocol, NestingIsBounded) {
  std::string deep = R"({"id": "x", "scores": )" + std::string(1 << 20, '[');
  EXPECT_FALSE(read_reply(deep));
}

TEST(ExecProtocol, PerplexitiesBecomeLogLikelihoods) {
  EXPECT_THAT(*usable_scores({std::exp(2.0), 1}, 2, Mode::kPerplexity),
              ElementsAre(testing::DoubleNear(-2, 1e-15), 0));
  EXPECT_FALSE(usable_scores({0, 1}, 2, Mode::kPerplexity));
  EXPECT_THAT(usable_scores({1}, 2, Mode::kSimilarity).error().message(),
              HasSubstr("1 scores for 2 texts"));
}

}  // namespace
}  // namespace snellen::models::exec
