// SPDX-License-Identifier: Apache-2.0
// Servers give back what they were sent: their messages, and models that read headers, may hold the
// key.
#pragma once

#include <string>
#include <string_view>

#include "snellen/models/openai/chat.h"

namespace snellen::models::openai {

// Keys shorter than this are placeholders for servers that want none ("none", "EMPTY"), and words
// of answers.
inline constexpr size_t kFewestSecretBytes = 8;

// Puts "[key]" in the place of every mention of the secret.
void hide_secret(std::string_view secret, std::string& text);
// In every text of an answer.
void hide_secret(std::string_view secret, ChatAnswer& answer);

}  // namespace snellen::models::openai
