// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/content_key.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(ContentKey, TellsContentsLengthsAndSaltsApart) {
  std::set<ContentKey> keys;
  for (std::string text : {"", "a", "b", "ab", "abcdefgh", "abcdefghi"}) {
    keys.insert(content_key(text));
    keys.insert(content_key(text, 1));
    keys.insert(content_key(text + std::string(1, '\0')));
  }
  EXPECT_EQ(keys.size(), 18U);
  EXPECT_EQ(content_key("picture"), content_key("picture"));
}

// Keys are written to disk: they must not change from one build to the next.
TEST(ContentKey, IsFixed) {
  ContentKey key = content_key("an eye chart for models");
  EXPECT_EQ(key.low, 16921666239587935314U);
  EXPECT_EQ(key.high, 8097402874730832943U);
}

}  // namespace
}  // namespace snellen
