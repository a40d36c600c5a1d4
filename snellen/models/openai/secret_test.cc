// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/secret.h"

#include <gtest/gtest.h>

namespace snellen::models::openai {
namespace {

TEST(HideSecret, LeavesNoMentionOfTheKey) {
  std::string text = "sk-0123456789 and sk-0123456789sk-0123456789";
  hide_secret("sk-0123456789", text);
  EXPECT_EQ(text, "[key] and [key][key]");
}

TEST(HideSecret, LooksIntoEveryTextOfAnAnswer) {
  const std::string key = "sk-0123456789";
  ChatAnswer answer{.text = key,
                    .finish_reason = key,
                    .model = key,
                    .refusal = key,
                    .reasoning = key,
                    .first_token = {{key, -0.1}}};
  hide_secret(key, answer);
  EXPECT_EQ(answer_to_json(answer).find(key), std::string::npos);
}

TEST(HideSecret, APlaceholderIsAWordOfAnswers) {
  for (const char* key : {"", "no", "EMPTY"}) {
    std::string text = "no, EMPTY";
    hide_secret(key, text);
    EXPECT_EQ(text, "no, EMPTY");
  }
}

}  // namespace
}  // namespace snellen::models::openai
