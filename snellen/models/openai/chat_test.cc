// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/chat.h"

#include <gtest/gtest.h>

namespace snellen::models::openai {
namespace {

using nlohmann::json;

std::string joined(const std::vector<http::Piece>& pieces) {
  std::string text;
  for (const http::Piece& piece : pieces) text += *piece;
  return text;
}

ChatRequest asked() {
  return {.model = "m",
          .pictures = {encoded_picture("image/png", "one"), encoded_picture("image/png", "two")},
          .text = "What \"is\" it?\n"};
}

TEST(Body, ShowsPicturesBeforeTheText) {
  const json body = json::parse(joined(body_of(asked(), {})));
  const json& content = body["messages"][0]["content"];
  ASSERT_EQ(content.size(), 3U);
  EXPECT_EQ(content[0]["image_url"]["url"], "data:image/png;base64,b25l");
  EXPECT_EQ(content[1]["image_url"]["url"], "data:image/png;base64,dHdv");
  EXPECT_EQ(content[2]["text"], "What \"is\" it?\n");
  EXPECT_EQ(body["max_tokens"], 16);
  EXPECT_EQ(body["temperature"], 0);
  EXPECT_EQ(body["stream"], false);
  EXPECT_FALSE(body.contains("stop"));
  EXPECT_FALSE(body.contains("logprobs"));
}

TEST(Body, TakesTheFormThatAServerWants) {
  ChatRequest request = asked();
  request.system = "Be brief.";
  request.parameters.stop = {"\n"};
  request.parameters.top_logprobs = 20;
  request.parameters.extra = {{"top_k", 1}};
  const json body = json::parse(joined(body_of(request,
                                               {.dropped = {"seed", "n"},
                                                .max_tokens_field = "max_completion_tokens",
                                                .puts_pictures_last = true})));
  EXPECT_EQ(body["messages"][0]["content"], "Be brief.");
  EXPECT_EQ(body["messages"][1]["content"][0]["type"], "text");
  EXPECT_EQ(body["max_completion_tokens"], 16);
  EXPECT_FALSE(body.contains("max_tokens"));
  EXPECT_FALSE(body.contains("seed"));
  EXPECT_EQ(body["stop"], json({"\n"}));
  EXPECT_EQ(body["top_logprobs"], 20);
  EXPECT_EQ(body["top_k"], 1);
  const json plain = json::parse(
      joined(body_of({.model = "m", .text = "only words"}, {.sends_plain_text = true})));
  EXPECT_EQ(plain["messages"][0]["content"], "only words");
}

TEST(CacheKey, DependsOnAllThatDecidesTheAnswer) {
  const std::string key = cache_key(asked(), "http://h/v1");
  EXPECT_EQ(key.size(), 64U);
  ChatRequest other = asked();
  other.sample = 1;
  EXPECT_NE(cache_key(other, "http://h/v1"), key);
  other = asked();
  other.pictures.pop_back();
  EXPECT_NE(cache_key(other, "http://h/v1"), key);
  other = asked();
  other.parameters.temperature = 0.7;
  EXPECT_NE(cache_key(other, "http://h/v1"), key);
  EXPECT_NE(cache_key(asked(), "http://g/v1"), key);
}

TEST(CacheKey, DependsOnTheFormWhereItChangesWhatIsSaid) {
  const std::string usual = cache_key(asked(), "h");
  EXPECT_NE(cache_key(asked(), "h", {.puts_pictures_last = true}), usual);
  EXPECT_NE(cache_key(asked(), "h", {.dropped = {"temperature"}}), usual);
  EXPECT_NE(cache_key(asked(), "h", {.dropped = {"temperature"}}),
            cache_key(asked(), "h", {.dropped = {"seed"}}));
  ChatRequest scored = asked();
  scored.parameters.top_logprobs = 20;
  EXPECT_NE(cache_key(scored, "h", {.dropped = {"logprobs", "top_logprobs"}}),
            cache_key(scored, "h"));
  ChatRequest words{.model = "m", .text = "t"};
  EXPECT_NE(cache_key(words, "h", {.sends_plain_text = true}), cache_key(words, "h"));
  // Nothing of it is in force.
  EXPECT_EQ(cache_key(words, "h", {.puts_pictures_last = true}), cache_key(words, "h"));
  EXPECT_EQ(cache_key(asked(), "h", {.sends_plain_text = true}), usual);
  EXPECT_EQ(cache_key(asked(), "h", {.dropped = {"stop", "logprobs"}}), usual);
  EXPECT_EQ(cache_key(asked(), "h", {.max_tokens_field = "max_completion_tokens"}), usual);
}

TEST(ReadAnswer, TakesTextTokensAndUsage) {
  const Result<ChatAnswer> answer = read_answer(R"({"model": "m-2026-01",
    "choices": [{"message": {"content": "Yes\u0007"}, "finish_reason": "stop",
      "logprobs": {"content": [{"token": "Yes", "logprob": -0.1,
        "top_logprobs": [{"token": "Yes", "logprob": -0.1}, {"token": "No", "logprob": -2.5}]}]}}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 1}})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "Yes\a");
  EXPECT_EQ(answer->model, "m-2026-01");
  ASSERT_EQ(answer->first_token.size(), 2U);
  EXPECT_EQ(answer->first_token[1].logprob, -2.5);
  EXPECT_EQ(answer->prompt_tokens, 7U);
}

TEST(ReadAnswer, TakesPartsRefusalsAndReasoning) {
  EXPECT_EQ(read_answer(R"({"choices": [{"message": {"content":
    [{"type": "text", "text": "a"}, {"type": "x"}, {"type": "text", "text": "b"}]}}]})")
                ->text,
            "ab");
  EXPECT_TRUE(read_answer(R"({"choices": [{"message": {"content": null, "refusal": "no"}}]})")
                  ->is_refused());
  EXPECT_TRUE(
      read_answer(
          R"({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]})")
          ->is_refused());
  EXPECT_EQ(
      read_answer(R"({"choices": [{"message": {"content": "", "reasoning": "hm"}}]})")->reasoning,
      "hm");
}

TEST(ReadAnswer, RefusesWhatIsNoAnswer) {
  for (const char* bad : {"",
                          "null",
                          "[]",
                          "{}",
                          R"({"choices": []})",
                          R"({"choices": [1]})",
                          R"({"choices": [{}]})",
                          R"({"choices": [{"message": 3}]})",
                          "{\"choices\""})
    EXPECT_FALSE(read_answer(bad)) << bad;
}

TEST(ReadAnswer, SurvivesLogprobsOfAnotherForm) {
  for (const char* odd : {"null",
                          "[]",
                          "3",
                          R"({"content": null})",
                          R"({"content": []})",
                          R"({"content": [3]})",
                          R"({"content": [{"top_logprobs": 3}]})",
                          R"({"content": [{"top_logprobs": [{"token": 3}]}]})",
                          R"({"tokens": ["Yes"], "token_logprobs": [-0.1]})"}) {
    const std::string body =
        std::string(R"({"choices": [{"message": {"content": "Yes"}, "logprobs": )") + odd + "}]}";
    ASSERT_TRUE(read_answer(body)) << odd;
    EXPECT_TRUE(read_answer(body)->first_token.empty()) << odd;
  }
}

TEST(ReadAnswer, TakesPartsOfAnyKind) {
  const Result<ChatAnswer> answer = read_answer(
      R"({"choices": [{"message": {"content": [{"type": 7, "text": "a"}, {"type": "text", "text": "b"},
         {"type": "text"}, 5, {"type": "text", "text": {"c": 1}}]}}]})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "b");
}

TEST(ReadAnswer, APromptsLikelihoodIsTheMeanOverItsOwnTokens) {
  auto likelihood = [](const std::string& logprobs) {
    return read_answer(R"({"choices": [{"text": "t", "logprobs": )" + logprobs + "}]}")
        ->prompt_likelihood;
  };
  EXPECT_EQ(likelihood(R"({"token_logprobs": [null, -1, -3, -100]})"), -2.0);
  for (const char* none : {"null",
                           "{}",
                           R"({"token_logprobs": []})",
                           R"({"token_logprobs": [-1]})",
                           R"({"token_logprobs": [null, -1]})",
                           R"({"token_logprobs": ["x", "y", -1]})",
                           R"({"content": [{"logprob": -1}]})"})
    EXPECT_FALSE(likelihood(none)) << none;
}

TEST(ReadRefusal, FindsWhatServersSay) {
  EXPECT_EQ(read_refusal(R"({"error": {"message": "bad \u001b[31m"}})"), "bad  [31m");
  EXPECT_EQ(read_refusal(R"({"error": "bad"})"), "bad");
  EXPECT_EQ(read_refusal(R"({"detail": "bad"})"), "bad");
  EXPECT_EQ(read_refusal(R"({"detail": [{"loc": ["body", "seed"], "msg": "extra"}]})"),
            R"([{"loc":["body","seed"],"msg":"extra"}])");
  EXPECT_EQ(read_refusal("Internal Server Error\nat line 3"), "Internal Server Error");
  EXPECT_EQ(read_refusal(std::string(5000, 'x')).size(), 300U);
  // Not even half of the key, where the cut goes through it.
  EXPECT_EQ(read_refusal("wrong key sk-0123456789", "sk-0123456789"), "wrong key [key]");
  EXPECT_EQ(read_refusal(std::string(295, 'x') + "sk-0123456789", "sk-0123456789"),
            std::string(295, 'x') + "[key]");
  // Never half a character.
  std::string accents = "x";
  while (accents.size() < 400) accents += "\xC3\xA9";
  EXPECT_EQ(read_refusal(accents), accents.substr(0, 299));
}

TEST(UnknownField, NamesTheOneThatIsComplainedAbout) {
  EXPECT_EQ(unknown_field("Unrecognized request argument supplied: top_logprobs"), "top_logprobs");
  EXPECT_EQ(unknown_field(R"([{"loc":["body","seed"],"msg":"Extra inputs are not permitted"}])"),
            "seed");
  EXPECT_EQ(unknown_field("Unsupported parameter: 'temperature' is not supported"), "temperature");
  EXPECT_EQ(unknown_field("'n' must be 1"), "n");
  EXPECT_EQ(unknown_field("no picture was given"), "");
}

TEST(KeptAnswer, ComesBackAsItWas) {
  const ChatAnswer answer{.text = "\x1b[31m \"x\"\n\xff",
                          .finish_reason = "stop",
                          .model = "m",
                          .refusal = "r",
                          .reasoning = "t",
                          .first_token = {{"Yes", -0.1000000000000000055}},
                          .prompt_tokens = 3,
                          .completion_tokens = 4,
                          .prompt_likelihood = -0.1};
  const Result<ChatAnswer> again = answer_of_json(answer_to_json(answer));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->first_token[0].logprob, answer.first_token[0].logprob);
  EXPECT_EQ(again->finish_reason, "stop");
  EXPECT_EQ(again->completion_tokens, 4U);
  EXPECT_EQ(again->prompt_likelihood, -0.1);
  EXPECT_FALSE(answer_of_json("{"));
  EXPECT_FALSE(answer_of_json(R"({"v": 9})"));
}

}  // namespace
}  // namespace snellen::models::openai
