// SPDX-License-Identifier: Apache-2.0
// What a program that was built without Node shows. It is linked with web/stub alone, whatever this
// machine has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/viewer/viewer.h"

namespace snellen::viewer {
namespace {

using testing::HasSubstr;
using testing::Not;

http::Response answer_to(const std::string& path) {
  static Viewer viewer({}, {}, {});
  return viewer.answer(
      {.method = "GET", .path = path, .query = {}, .headers = {{"Host", "127.0.0.1:80"}}});
}

TEST(StubPage, SaysOnEveryPageHowToGetThePages) {
  EXPECT_FALSE(Viewer::has_pages());
  for (const char* path : {"/", "/run", "/compare"}) {
    const http::Response response = answer_to(path);
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
    EXPECT_THAT(response.body, HasSubstr("./dev setup"));
    EXPECT_THAT(response.body, Not(HasSubstr("<script")));
  }
  EXPECT_EQ(answer_to("/viewer.js").status, 404);
}

TEST(StubPage, LeavesTheDataThere) {
  const http::Response response = answer_to("/api/runs");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"runs":[]})");
}

}  // namespace
}  // namespace snellen::viewer
