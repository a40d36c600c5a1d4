// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/response_cache.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::models::openai {
namespace {

const std::string kKey = "ab" + std::string(62, '0');

TEST(ResponseCache, KeepsAnAnswerInAFileOfItsOwn) {
  media::ScratchFolder folder;
  const ResponseCache cache(folder / "answers");
  EXPECT_FALSE(cache.find(kKey));
  cache.keep(kKey, "{}");
  EXPECT_EQ(cache.find(kKey), "{}");
  EXPECT_TRUE(std::filesystem::exists(folder / "answers" / "ab" / (kKey + ".json")));
}

TEST(ResponseCache, CountsAndRemovesItsAnswersAlone) {
  media::ScratchFolder folder;
  const ResponseCache cache(folder / "answers");
  cache.keep(kKey, "{}");
  cache.keep("cd" + std::string(62, '0'), "{\"a\": 1}");
  write_text_file(folder / "answers" / "ab" / "other.txt", "stays");
  cache.keep_learned(kKey, "[]");
  EXPECT_EQ(cache.find_learned(kKey), "[]");
  EXPECT_EQ(kept_answers(folder / "answers").count, 2U);
  EXPECT_EQ(kept_answers(folder / "answers").num_bytes, 10U);
  EXPECT_EQ(clear_answers(folder / "answers").count, 2U);
  EXPECT_FALSE(cache.find(kKey));
  EXPECT_FALSE(cache.find_learned(kKey));
  EXPECT_TRUE(std::filesystem::exists(folder / "answers" / "ab" / "other.txt"));
  EXPECT_EQ(kept_answers(folder / "nowhere").count, 0U);
}

TEST(ResponseCache, LetsOneAskerClaimAKey) {
  media::ScratchFolder folder;
  const ResponseCache first(folder / "answers");
  const ResponseCache second(folder / "answers");
  EXPECT_TRUE(first.claim(kKey));
  EXPECT_FALSE(second.claim(kKey));
  EXPECT_TRUE(second.claim("cd" + std::string(62, '0')));
  first.release(kKey);
  EXPECT_TRUE(second.claim(kKey));
}

TEST(ResponseCache, AnAskerThatIsGoneClaimsNothing) {
  media::ScratchFolder folder;
  const ResponseCache second(folder / "answers");
  {
    const ResponseCache first(folder / "answers");
    EXPECT_TRUE(first.claim(kKey));
  }
  EXPECT_TRUE(second.claim(kKey));
}

}  // namespace
}  // namespace snellen::models::openai
