// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/server.h"

#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/http/client.h"

namespace snellen::http {
namespace {

using testing::HasSubstr;

Reply ask(Call call, const ClientOptions& options = {.timeout_s = 5}) {
  Client client(options);
  std::promise<Reply> promise;
  client.start(std::move(call), [&](Reply&& reply) { promise.set_value(std::move(reply)); });
  return promise.get_future().get();
}

Piece piece(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

TEST(Server, AnswersWithWhatTheHandlerGives) {
  Server server({.num_threads = 4}, [](const Request& request) {
    return Response{.status = 201,
                    .body = request.method + " " + request.path + " " +
                            std::string(request.query_field("q")) + " " + request.body +
                            std::string(request.header("x-own"))};
  });
  Reply reply = ask({.url = server.address() + "/a%20b?q=1%26",
                     .headers = {{"X-Own", "!"}},
                     .body = {piece("one,"), piece("two")}});
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body, "POST /a b 1& one,two!");
}

TEST(Server, TurnsWhatTheHandlerThrowsIntoStatus500) {
  Server server({.num_threads = 2}, [](const Request&) -> Response {
    throw Error{ErrorCode::kInternal, "no \"such\" thing"};
  });
  Reply reply = ask({.url = server.address()});
  EXPECT_EQ(reply.status, 500);
  EXPECT_THAT(reply.body, HasSubstr(R"(no \"such\" thing)"));
}

TEST(Server, RefusesBodiesAboveItsLimit) {
  Server server({.num_threads = 2, .max_body_bytes = 10},
                [](const Request&) { return Response{}; });
  EXPECT_EQ(ask({.url = server.address(), .body = {piece(std::string(11, 'x'))}}).status, 413);
  EXPECT_EQ(ask({.url = server.address(), .body = {piece(std::string(10, 'x'))}}).status, 200);
}

TEST(Server, GivesOneRangeOfBytes) {
  Server server({.num_threads = 2}, [](const Request&) { return Response{.body = "0123456789"}; });
  const Reply part = ask({.url = server.address(), .headers = {{"Range", "bytes=2-4"}}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "234");
  // A header of a few kilobytes must not make an answer of many times the body.
  const Reply many = ask({.url = server.address(), .headers = {{"Range", "bytes=0-,0-,0-"}}});
  EXPECT_EQ(many.status, 416);
}

TEST(Server, SaysWhenItsPortIsTaken) {
  Server first({.num_threads = 1}, [](const Request&) { return Response{}; });
  EXPECT_THROW(
      Server({.port = first.port(), .num_threads = 1}, [](const Request&) { return Response{}; }),
      Error);
}

TEST(Client, NoticesAnAnswerThatIsCut) {
  Server server({.num_threads = 2},
                [](const Request&) { return Response{.body = "0123456789", .cut_after = 4}; });
  Reply reply = ask({.url = server.address()});
  EXPECT_EQ(reply.status, 0);
  EXPECT_TRUE(reply.is_worth_a_retry);
  EXPECT_FALSE(reply.failure.empty());
}

TEST(Client, GivesUpOnAnswersAboveItsLimit) {
  Server server({.num_threads = 2},
                [](const Request&) { return Response{.body = std::string(1000, 'x')}; });
  Reply reply = ask({.url = server.address()}, {.timeout_s = 5, .max_answer_bytes = 999});
  EXPECT_EQ(reply.status, 0);
  EXPECT_FALSE(reply.is_worth_a_retry);
  EXPECT_THAT(reply.failure, HasSubstr("999 bytes"));
}

TEST(Client, FollowsNoRedirectToAnotherPlace) {
  std::string seen;
  Server other({.num_threads = 2}, [&](const Request& request) {
    seen += request.header("authorization");
    return Response{.body = "other"};
  });
  Server server({.num_threads = 2}, [&](const Request& request) {
    if (request.path == "/there")
      return Response{.body = std::string(request.header("authorization"))};
    return Response{
        .status = 307,
        .headers = {{"Location", request.path == "/near" ? "/there" : other.address()}}};
  });
  Call call{.url = server.address() + "/near",
            .headers = {{"Authorization", "Bearer k"}},
            .body = {piece("x")}};
  EXPECT_EQ(ask(call).body, "Bearer k");
  call.url = server.address() + "/far";
  Reply reply = ask(call);
  EXPECT_EQ(reply.status, 0);
  EXPECT_FALSE(reply.is_worth_a_retry);
  EXPECT_THAT(reply.failure, HasSubstr("redirects to another address"));
  EXPECT_EQ(seen, "");
}

TEST(Client, TellsRequestsUnderWayThatItEnds) {
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  Server server({.num_threads = 2}, [released](const Request&) {
    released.wait();
    return Response{};
  });
  Reply told;
  {
    Client client({});
    client.start({.url = server.address()}, [&](Reply&& reply) { told = std::move(reply); });
  }
  release.set_value();
  EXPECT_EQ(told.status, 0);
  EXPECT_FALSE(told.is_worth_a_retry);
}

}  // namespace
}  // namespace snellen::http
