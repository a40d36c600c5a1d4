// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/gatekeeper.h"

#include <gtest/gtest.h>

namespace snellen::viewer {
namespace {

http::Request request(std::string method, http::Fields headers, http::Fields query = {}) {
  return {.method = std::move(method),
          .path = "/api/runs",
          .query = std::move(query),
          .headers = std::move(headers)};
}

int status(const http::Request& asked, const Gate& gate) {
  const std::optional<http::Response> refused = refusal(asked, gate);
  return refused ? refused->status : 200;
}

TEST(Gatekeeper, LetsThisMachinesOwnNamesIn) {
  for (const char* host : {"127.0.0.1:80", "localhost:9", "[::1]:80", "LOCALHOST:80"})
    EXPECT_EQ(status(request("GET", {{"Host", host}}), {}), 200) << host;
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example:80", ""})
    EXPECT_EQ(status(request("GET", {{"Host", host}}), {}), 403) << host;
}

TEST(Gatekeeper, RefusesPostsWithoutThisServersOrigin) {
  EXPECT_EQ(status(request("POST", {{"Host", "localhost:9"}}), {}), 403);
  EXPECT_EQ(status(request("POST", {{"Host", "localhost:9"}, {"Origin", "http://x"}}), {}), 403);
  EXPECT_EQ(
      status(request("POST", {{"Host", "localhost:9"}, {"Origin", "http://localhost:9"}}), {}),
      200);
  EXPECT_EQ(status(request("DELETE", {{"Host", "localhost:9"}}), {}), 405);
}

TEST(Gatekeeper, AsksForTheTokenByQueryHeaderOrCookie) {
  const Gate gate{.host = "0.0.0.0", .token = "secret"};
  const std::pair<std::string, std::string> host = {"Host", "lab.example:80"};
  EXPECT_EQ(status(request("GET", {host}), gate), 401);
  EXPECT_EQ(status(request("GET", {host}, {{"token", "secreT"}}), gate), 401);
  EXPECT_EQ(status(request("GET", {host}, {{"token", "secret"}}), gate), 200);
  EXPECT_EQ(status(request("GET", {host, {"Authorization", "Bearer secret"}}), gate), 200);
  EXPECT_EQ(status(request("GET", {host, {"Cookie", "a=b; snellen_token=secret"}}), gate), 200);
  EXPECT_EQ(status(request("GET", {host, {"Cookie", "snellen_token=secretx"}}), gate), 401);
}

TEST(Gatekeeper, MakesTokensThatDiffer) {
  EXPECT_NE(new_token(), new_token());
  EXPECT_EQ(new_token().size(), 48U);
}

}  // namespace
}  // namespace snellen::viewer
