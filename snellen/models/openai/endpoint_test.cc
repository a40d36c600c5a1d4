// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/endpoint.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/http/server.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::models::openai {
namespace {

using http::Request;
using http::Response;
using http::Server;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kYes =
    R"({"choices":[{"message":{"content":"Yes"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}})";

class EndpointTest : public testing::Test {
 protected:
  EndpointOptions options(const Server& server) const {
    return {.base_urls = {server.address() + "/v1"},
            .cache = folder_ / "answers",
            .client = {.timeout_s = 5},
            .queue = {.retries = 2}};
  }
  static Result<Endpoint::Answer> ask(Endpoint& endpoint, std::string text = "t") {
    ChatRequest request{.model = "m", .text = std::move(text)};
    request.parameters.top_logprobs = 20;
    return endpoint.wait(*endpoint.send(request), {});
  }
  // As if nobody had learned anything about the server.
  void clear_learned() const { std::filesystem::remove_all(folder_ / "answers" / "servers"); }
  media::ScratchFolder folder_;
};

TEST_F(EndpointTest, AsksOnceAndKeepsTheAnswer) {
  std::atomic<int> count = 0;
  Server server({.num_threads = 4}, [&](const Request& request) {
    ++count;
    EXPECT_EQ(request.path, "/v1/chat/completions");
    return Response{.body = kYes};
  });
  for (int run = 0; run < 2; ++run) {
    Endpoint endpoint(options(server));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(endpoint)->chat.text, "Yes");
    EXPECT_EQ(endpoint.counts().requests, run == 0 ? 1U : 0U);
    EXPECT_EQ(endpoint.counts().prompt_tokens, run == 0 ? 5U : 0U);
  }
  EXPECT_EQ(count, 1);
}

TEST_F(EndpointTest, LeavesOutFieldsThatAServerRefuses) {
  std::atomic<int> count = 0;
  Server server({.num_threads = 4}, [&](const Request& request) {
    ++count;
    const auto body = nlohmann::json::parse(request.body);
    for (const char* name : {"seed", "logprobs", "top_logprobs"}) {
      if (body.contains(name))
        return Response{.status = 422,
                        .body = nlohmann::json({{"detail", {{{"loc", {"body", name}}}}}}).dump()};
    }
    if (body.contains("max_tokens"))
      return Response{.status = 400,
                      .body = R"({"error":{"message":"use 'max_completion_tokens' instead"}})"};
    return Response{.body = kYes};
  });
  Endpoint endpoint(options(server));
  EXPECT_EQ(ask(endpoint)->chat.text, "Yes");
  const int first = count;
  EXPECT_EQ(ask(endpoint, "other")->chat.text, "Yes");
  EXPECT_EQ(count, first + 1);  // what was learned is remembered
  EXPECT_EQ(endpoint.notes().size(), 3U);
  EXPECT_EQ(endpoint.counts().requests, 2U);
  // So is it by the next run, which finds the answers and learns nothing anew.
  Endpoint later(options(server));
  EXPECT_EQ(ask(later)->chat.text, "Yes");
  EXPECT_EQ(later.notes(), endpoint.notes());
  EXPECT_EQ(ask(later, "a third")->chat.text, "Yes");
  EXPECT_EQ(count, first + 2);
}

TEST_F(EndpointTest, AnswersToAnotherFormAreOthers) {
  std::atomic<int> count = 0;
  Server server({.num_threads = 4}, [&](const Request&) {
    ++count;
    return Response{.body = kYes};
  });
  for (const BodyForm& form : {BodyForm{},
                               BodyForm{.dropped = {"temperature"}},
                               BodyForm{.dropped = {"logprobs", "top_logprobs"}},
                               BodyForm{.sends_plain_text = true}}) {
    const int before = count;
    for (int run = 0; run < 2; ++run) {
      EndpointOptions given = options(server);
      given.form = form;
      Endpoint endpoint(given);
      EXPECT_TRUE(ask(endpoint));
      EXPECT_EQ(count, before + 1);
    }
  }
}

TEST_F(EndpointTest, AnAnswerWithoutARefusedFieldIsNotThatOfAServerThatTakesIt) {
  std::atomic<bool> refuses = true;
  std::atomic<int> count = 0;
  Server server({.num_threads = 4}, [&](const Request& request) {
    if (refuses && request.body.find("\"seed\"") != std::string::npos)
      return Response{.status = 400, .body = R"({"detail": "unknown field 'seed'"})"};
    ++count;
    return Response{.body = kYes};
  });
  {
    Endpoint endpoint(options(server));
    EXPECT_TRUE(ask(endpoint));
  }
  refuses = false;
  clear_learned();
  Endpoint endpoint(options(server));
  EXPECT_TRUE(ask(endpoint));
  EXPECT_EQ(count, 2);
}

TEST_F(EndpointTest, AServerThatGivesTheKeyBackDoesNotSpreadIt) {
  const std::string key = "sk-0123456789";
  Server server({.num_threads = 4}, [&](const Request& request) {
    const std::string sent(request.header("Authorization"));
    if (request.body.find("bad") != std::string::npos)
      return Response{
          .status = 400,
          .body = nlohmann::json({{"error", {{"message", std::string(290, '.') + sent}}}}).dump()};
    nlohmann::json choice = {{"message", {{"content", sent}, {"reasoning", sent}}}};
    nlohmann::json answer = {{"model", sent}};
    answer["choices"].push_back(std::move(choice));
    return Response{.body = answer.dump()};
  });
  EndpointOptions given = options(server);
  given.key = key;
  Endpoint endpoint(given);
  const Result<Endpoint::Answer> answer = ask(endpoint);
  EXPECT_EQ(answer->chat.text, "Bearer [key]");
  EXPECT_EQ(answer->chat.model, "Bearer [key]");
  const Result<Endpoint::Answer> bad = ask(endpoint, "bad");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().what(), testing::Not(HasSubstr("sk-")));
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_ / "answers")) {
    if (file.is_regular_file()) {
      EXPECT_THAT(read_text_file(file.path(), size_t{1} << 20), testing::Not(HasSubstr(key)));
    }
  }
}

TEST_F(EndpointTest, ARefusalIsAnErrorOfThisRequestAlone) {
  Server server({.num_threads = 4}, [&](const Request& request) {
    if (request.body.find("bad") != std::string::npos)
      return Response{.status = 400, .body = R"({"error":{"message":"too \u001b[1mlong"}})"};
    return Response{.body = kYes};
  });
  Endpoint endpoint(options(server));
  const Result<Endpoint::Answer> bad = ask(endpoint, "bad");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().what(), HasSubstr("400: too  [1mlong"));
  EXPECT_TRUE(ask(endpoint));
  EXPECT_EQ(endpoint.counts().failed, 1U);
}

TEST_F(EndpointTest, EndsWhenMoreFailThanAllowed) {
  Server server({.num_threads = 4}, [&](const Request&) { return Response{.status = 400}; });
  EndpointOptions given = options(server);
  given.max_errors = {.count = 1};
  Endpoint endpoint(given);
  EXPECT_FALSE(ask(endpoint, "one"));
  EXPECT_THROW(ask(endpoint, "two"), Error);
}

TEST_F(EndpointTest, AServerThatTakesNoKeyEndsTheRunAtOnce) {
  Server server({.num_threads = 4}, [&](const Request&) { return Response{.status = 401}; });
  Endpoint endpoint(options(server));
  EXPECT_THROW(ask(endpoint), Error);
}

TEST_F(EndpointTest, AServerThatIsNotThereEndsTheRun) {
  int port = 0;
  {
    Server gone({.num_threads = 1}, [](const Request&) { return Response{.body = kYes}; });
    port = gone.port();
  }
  Endpoint endpoint({.base_urls = {"http://127.0.0.1:" + std::to_string(port) + "/v1"},
                     .cache = folder_ / "answers",
                     .queue = {.retries = 0}});
  EXPECT_THROW(ask(endpoint), Error);
}

TEST_F(EndpointTest, AServerThatIsLostLaterFailsWhatItWasAsked) {
  auto server = std::make_unique<Server>(http::ServerOptions{.num_threads = 1, .idle_s = 1},
                                         [](const Request&) { return Response{.body = kYes}; });
  EndpointOptions given = options(*server);
  given.queue.retries = 0;
  Endpoint endpoint(given);
  EXPECT_TRUE(ask(endpoint, "one"));
  server.reset();
  const Result<Endpoint::Answer> lost = ask(endpoint, "two");
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().what(), HasSubstr("no answer after 1 tries"));
}

TEST_F(EndpointTest, APromptIsReadByItself) {
  Server server({.num_threads = 4}, [&](const Request& request) {
    EXPECT_EQ(request.path, "/v1/completions");
    const auto body = nlohmann::json::parse(request.body);
    EXPECT_EQ(body["prompt"], "a cat");
    EXPECT_EQ(body["echo"], true);
    EXPECT_EQ(body["logprobs"], 1);
    EXPECT_FALSE(body.contains("messages"));
    return Response{.body = R"({"choices": [{"text": "a cat sat", "logprobs": {"tokens": [],
        "token_logprobs": [null, -1.5, -0.5, -9]}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1}})"};
  });
  for (int run = 0; run < 2; ++run) {
    Endpoint endpoint(options(server));
    const ChatRequest request{.model = "m", .text = "a cat", .is_read_alone = true};
    EXPECT_EQ(endpoint.wait(*endpoint.send(request), {})->chat.prompt_likelihood, -1.0);
    EXPECT_EQ(endpoint.counts().requests, run == 0 ? 1U : 0U);
  }
}

TEST_F(EndpointTest, SendsTheKeyAndFollowsNoRedirectElsewhere) {
  std::atomic<int> elsewhere = 0;
  Server other({.num_threads = 4}, [&](const Request&) {
    ++elsewhere;
    return Response{.body = kYes};
  });
  std::string key;
  Server server({.num_threads = 4}, [&](const Request& request) {
    key = request.header("Authorization");
    return Response{.status = 307, .headers = {{"Location", other.address() + "/v1/x"}}};
  });
  EndpointOptions given = options(server);
  given.key = "secret";
  Endpoint endpoint(given);
  const Result<Endpoint::Answer> answer = ask(endpoint);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().what(), HasSubstr("redirects to another address"));
  EXPECT_EQ(key, "Bearer secret");
  EXPECT_EQ(elsewhere, 0);
}

TEST_F(EndpointTest, TriesOneServerAfterTheOther) {
  Server broken({.num_threads = 4}, [&](const Request&) {
    return Response{.status = 503, .headers = {{"Retry-After", "0"}}};
  });
  Server whole({.num_threads = 4}, [&](const Request&) { return Response{.body = kYes}; });
  EndpointOptions given = options(broken);
  given.base_urls.push_back(whole.address() + "/v1");
  Endpoint endpoint(given);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(ask(endpoint, std::to_string(i)));
}

TEST(BaseUrl, RefusesCredentialsAndOtherTexts) {
  check_base_url("http://127.0.0.1:8000/v1");
  check_base_url("https://[::1]:8000/v1");
  for (const char* bad : {"",
                          "127.0.0.1:8000",
                          "ftp://h/v1",
                          "http://",
                          "http://h/v1?a=b",
                          "http://h/v 1",
                          "http://h:0/v1",
                          "http://h:99999/v1",
                          "http://h:/v1",
                          "http://[::1]:x/v1",
                          "http://user:secret@h/v1",
                          "https://token@h/v1"})
    EXPECT_THROW(check_base_url(bad), Error) << bad;
  try {
    check_base_url("http://user:secret@h/v1");
  } catch (const Error& error) {
    EXPECT_THAT(std::string(error.what()), testing::Not(HasSubstr("secret")));
  }
}

TEST(BaseUrl, APortIsNoPartOfTheNameSpace) {
  EXPECT_EQ(without_port("http://127.0.0.1:8000/v1"), "http://127.0.0.1/v1");
  EXPECT_EQ(without_port("http://[::1]:8000/v1"), "http://[::1]/v1");
  EXPECT_EQ(without_port("http://[::1]/v1"), "http://[::1]/v1");
  EXPECT_EQ(without_port("https://h/v1"), "https://h/v1");
  EXPECT_EQ(name_space_of({.base_urls = {"http://h:1/v1/"}, .cache = {}}), "http://h/v1");
  EXPECT_EQ(name_space_of({.base_urls = {"http://h:1/v1"}, .name_space = "n", .cache = {}}), "n");
}

}  // namespace
}  // namespace snellen::models::openai
