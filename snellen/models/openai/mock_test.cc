// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/mock.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/models/openai/chances.h"
#include "snellen/models/openai/chat.h"

namespace snellen::models::openai {
namespace {

http::Request post(const ChatRequest& asked) {
  http::Request request{.method = "POST", .path = "/v1/chat/completions"};
  for (const http::Piece& piece : body_of(asked, {})) request.body += *piece;
  return request;
}

ChatRequest with_logprobs(std::string text) {
  ChatRequest asked{.model = "m", .text = std::move(text)};
  asked.parameters.top_logprobs = 20;
  return asked;
}

ChatAnswer said(Mock& mock, const ChatRequest& asked) {
  const http::Response response = mock.answer(post(asked));
  EXPECT_EQ(response.status, 200);
  return read_answer(response.body).value();
}

TEST(Mock, AnswersTheSameToTheSame) {
  Mock first({});
  Mock second({});
  const ChatRequest asked =
      with_logprobs("Does this figure show \"a dog\"? Please answer yes or no.");
  EXPECT_EQ(yes_score(said(first, asked))->value, yes_score(said(second, asked))->value);
  EXPECT_NEAR(yes_score(said(first, asked))->mass, 0.98, 1e-12);
}

TEST(Mock, GivesTheChosenLetterAFixedChance) {
  Mock mock({});
  const std::string prompt = letter_prompt("Which?", {"a", "b", "c"});
  const ChatAnswer answer = said(mock, with_logprobs(prompt));
  const size_t letter = mock_hash_letter(prompt, {}, 3);
  EXPECT_EQ(answer.text, std::string(1, static_cast<char>('A' + letter)));
  EXPECT_NEAR(letter_chances(answer, 3)->shares[letter], std::exp(-0.1), 1e-12);
}

TEST(Mock, GivesPromptsBackWithLogProbabilities) {
  Mock mock({});
  auto likelihood = [&mock](std::string text) {
    const ChatRequest asked{.model = "m", .text = std::move(text), .is_read_alone = true};
    http::Request request{.method = "POST", .path = "/v1/completions"};
    for (const http::Piece& piece : body_of(asked, {})) request.body += *piece;
    return read_answer(mock.answer(request).body)->prompt_likelihood;
  };
  ASSERT_TRUE(likelihood("a cat sits"));
  EXPECT_EQ(likelihood("a cat sits"), likelihood("a cat sits"));
  EXPECT_NE(likelihood("a cat sits"), likelihood("a cat runs"));
  EXPECT_FALSE(likelihood("cat"));  // nothing comes before it
  EXPECT_EQ(mock.answer({.method = "POST", .path = "/v1/completions", .body = "{}"}).status, 400);
}

TEST(Mock, RefusesBadRequestsAndPaths) {
  Mock mock({});
  for (const char* body : {"",
                           "{}",
                           R"({"model":"m"})",
                           R"({"model":"m","messages":[{"role":"u"}]})",
                           R"({"model":"m","messages":[{"role":"u","content":[{"type":"image_url",)"
                           R"("image_url":{"url":"http://elsewhere/a.png"}}]}]})"})
    EXPECT_EQ(mock.answer({.method = "POST", .path = "/v1/chat/completions", .body = body}).status,
              400)
        << body;
  EXPECT_EQ(mock.answer({.method = "GET", .path = "/nowhere"}).status, 404);
  EXPECT_EQ(mock.answer({.method = "GET", .path = "/health"}).status, 200);
}

TEST(Mock, FailsAShareOfTheTriesAtMostThreeTimesEach) {
  Mock mock({.faults = {{"500", 1.0}}});
  const http::Request request = post({.model = "m", .text = "t"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(mock.answer(request).status, 500);
  EXPECT_EQ(mock.answer(request).status, 200);
  const auto stats = nlohmann::json::parse(mock.answer({.method = "GET", .path = "/stats"}).body);
  EXPECT_EQ(stats["requests"], 4);
  EXPECT_EQ(stats["answers"], 1);
  EXPECT_EQ(stats["distinct"], 1);
  EXPECT_EQ(stats["faults"]["500"], 3);
}

TEST(Mock, DrawsFaultsFromTheSeedAlone) {
  auto statuses = [](uint64_t seed) {
    Mock mock({.faults = {{"429", 0.5}}, .seed = seed});
    std::string all;
    for (int i = 0; i < 40; ++i)
      all += mock.answer(post({.model = "m", .text = std::to_string(i)})).status == 200 ? '.' : 'x';
    return all;
  };
  EXPECT_EQ(statuses(1), statuses(1));
  EXPECT_NE(statuses(1), statuses(2));
}

TEST(MockMode, ReadsItsTexts) {
  EXPECT_EQ(mock_mode_of("always:(C) it is").text, "(C) it is");
  EXPECT_EQ(mock_mode_of("texture:75:A:C").threshold, 75);
  EXPECT_EQ(mock_mode_of("texture:75:A:C").above, "C");
  for (const char* bad : {"", "often", "texture:75", "texture:x:A:C", "always:", "biased:x"})
    EXPECT_THROW(mock_mode_of(bad), Error) << bad;
  EXPECT_EQ(mock_fault_of("hang:0.1").share, 0.1);
  for (const char* bad : {"", "404:0.1", "429", "429:2", "429:-1"})
    EXPECT_THROW(mock_fault_of(bad), Error) << bad;
}

}  // namespace
}  // namespace snellen::models::openai
