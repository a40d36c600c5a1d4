// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/secret.h"

namespace snellen::models::openai {

void hide_secret(std::string_view secret, std::string& text) {
  constexpr std::string_view kInstead = "[key]";
  if (secret.size() < kFewestSecretBytes) return;
  for (size_t at = text.find(secret); at != std::string::npos;
       at = text.find(secret, at + kInstead.size()))
    text.replace(at, secret.size(), kInstead);
}

void hide_secret(std::string_view secret, ChatAnswer& answer) {
  for (std::string* text :
       {&answer.text, &answer.finish_reason, &answer.model, &answer.refusal, &answer.reasoning})
    hide_secret(secret, *text);
  for (TokenChance& one : answer.first_token) hide_secret(secret, one.token);
}

}  // namespace snellen::models::openai
