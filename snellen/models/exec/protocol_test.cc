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
  request.id = "17";
  request.task = 1;
  request.item = "a/0";
  request.part = 2;
  request.visual.image = "/x/y.jpg";
  request.texts = {"a\nb", "\"\xff"};
  EXPECT_EQ(request_line(request),
            "{\"op\": \"score\", \"id\": \"17\", \"task\": 1, \"item\": \"a/0\", \"part\": 2, "
            "\"image\": \"/x/y.jpg\", \"video\": null, "
            "\"frames_dir\": null, \"pixels\": null, \"start\": null, \"end\": null, \"unit\": "
            "\"sec\", \"fps\": null, \"texts\": [\"a\\nb\", \"\\\"\\ufffd\"]}\n");
}

TEST(ExecProtocol, NamesARequestForPeople) {
  EXPECT_EQ(name_of(Request{.item = "a", .visual = {}, .texts = {}}), "a");
  EXPECT_EQ(name_of(Request{.task = 2, .item = "a", .part = 1, .visual = {}, .texts = {}}),
            "2:a#1");
}

TEST(ExecProtocol, TextsAreCutBetweenCharacters) {
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("abcd", 3), "abc");
  EXPECT_EQ(cut_text("a\u00e9", 2), "a");
  EXPECT_EQ(cut_text("\u00e9\u00e9", 2), "\u00e9");
  EXPECT_EQ(cut_text("\U0001F441x", 3), "");
  EXPECT_EQ(cut_text("\U0001F441x", 4), "\U0001F441");
  // Bytes that are no text are cut somewhere.
  EXPECT_EQ(cut_text(std::string(300, '\x80'), 200).size(), 197U);
}

TEST(ExecProtocol, LongNamesAreCutAndLongIdentitiesHashed) {
  std::string name = "a";
  for (int i = 0; i < 150; ++i) name += "\u00e9";
  auto ready = [&](const std::string& identity) {
    return *read_ready(R"({"ready": true, "name": ")" + name + R"(", "identity": ")" + identity +
                       "\"}");
  };
  std::string most(200, 'x');
  EXPECT_EQ(ready(most).name, name.substr(0, 199));
  EXPECT_EQ(ready(most).identity, most);
  EXPECT_THAT(ready(most + "1").identity, testing::MatchesRegex("sha256:[0-9a-f]+"));
  EXPECT_NE(ready(most + "1").identity, ready(most + "2").identity);
}

TEST(ExecProtocol, WritesTheWindowOfAClipAndItsPixels) {
  Request request;
  request.id = "c";
  request.visual.video = "/c.mp4";
  request.visual.pixels = {"/dev/shm/p", 4, 32, 160};
  request.visual.window = {.start = 1.5, .end = 3, .unit = media::ClipUnit::kFrames};
  request.visual.fps = 25;
  std::string line = request_line(request);
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
  EXPECT_THAT(*read_reply(R"({"id": "x", "scores": [1, -2.5, 1e-3]})")->values,
              ElementsAre(1, -2.5, 1e-3));
  Result<Reply> reply = read_reply(R"({"id": "x", "error": "too dark"})");
  EXPECT_EQ(reply->values.error().message(), "the adapter says: too dark");
}

TEST(ExecProtocol, AScoreThatIsNoFiniteNumberFailsItsRequestAlone) {
  for (const char* scores : {"[1, NaN]", "[-Infinity]", "[Infinity]", "[null]", "[\"1\"]", "7"}) {
    Result<Reply> reply = read_reply(std::string(R"({"id": "NaN", "scores": )") + scores + "}");
    ASSERT_TRUE(reply) << scores;
    EXPECT_EQ(reply->id, "NaN");
    EXPECT_FALSE(reply->values) << scores;
  }
  EXPECT_FALSE(read_reply(R"({"id": "x"})")->values);
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

TEST(ExecProtocol, ARowIsAListOrFloatsInBase64) {
  auto row = [](const std::string& text) {
    return read_reply(R"({"id": "x", "row": )" + text + "}")->values;
  };
  EXPECT_THAT(*row("[1.5, -2]"), ElementsAre(1.5, -2));
  EXPECT_THAT(*row(R"("AADAPwAAAMA=")"), ElementsAre(1.5, -2));
  for (const char* bad : {R"("AADAPwAA")", R"("AAD!PwAA")", R"("AADAfw==")", "[NaN]", "7", "null"})
    EXPECT_FALSE(row(bad)) << bad;
  EXPECT_FALSE(usable_values({}, {.wants_row = true}, Mode::kEmbedding));
}

TEST(ExecProtocol, PerplexitiesBecomeLogLikelihoods) {
  const Request two{.texts = {"a", "b"}};
  EXPECT_THAT(*usable_values({std::exp(2.0), 1}, two, Mode::kPerplexity),
              ElementsAre(testing::DoubleNear(-2, 1e-15), 0));
  EXPECT_FALSE(usable_values({0, 1}, two, Mode::kPerplexity));
  EXPECT_THAT(usable_values({1}, two, Mode::kSimilarity).error().message(),
              HasSubstr("1 scores for 2 texts"));
}

}  // namespace
}  // namespace snellen::models::exec
