// SPDX-License-Identifier: Apache-2.0
// The words of an OpenAI-compatible endpoint (docs/spec/bias.md 3.2 to 3.5): what is sent, what
// comes back, and the key under which an answer is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/http/client.h"

namespace snellen::models::openai {

// A picture as it is sent.
struct EncodedPicture {
  std::string mime;    // "image/png"
  std::string sha256;  // of the encoded bytes
  http::Piece url;     // "data:image/png;base64,..."
};
using Picture = std::shared_ptr<const EncodedPicture>;

// `bytes` is a whole file of this type.
Picture encoded_picture(std::string mime, std::string_view bytes);

struct ChatParameters {
  double temperature = 0;
  double top_p = 1;
  unsigned max_tokens = 16;
  std::optional<int64_t> seed = 0;
  std::vector<std::string> stop = {};
  unsigned top_logprobs = 0;                        // 0: none are asked for
  nlohmann::json extra = nlohmann::json::object();  // further members of the body
};

struct ChatRequest {
  std::string model;
  std::string system = {};
  std::vector<Picture> pictures = {};
  std::string text;
  ChatParameters parameters = {};
  uint64_t sample = 0;  // of repeats, which are asked anew
  // Not a conversation: the text as a prompt of /completions, whose own log-probabilities are
  // asked for (`echo`).
  bool is_read_alone = false;
};

// How a body is written; differs between servers and may change while they are asked.
struct BodyForm {
  std::set<std::string> dropped = {};  // members that the server does not take
  std::string max_tokens_field = "max_tokens";
  bool puts_pictures_last = false;
  bool sends_plain_text = false;  // a text without pictures as a string

  bool operator==(const BodyForm&) const = default;
};

// What follows the base URL.
const char* path_of(const ChatRequest& request);
std::vector<http::Piece> body_of(const ChatRequest& request, const BodyForm& form);

// Sorted keys, no blanks, UTF-8 as it is, integers without a point, other numbers as short as they
// can be.
std::string canonical_json(const nlohmann::json& value);
// What decides an answer; pictures are named by their hash. A form of the body that is not the
// usual one counts where it changes what this request says.
nlohmann::json key_object(const ChatRequest& request,
                          const std::string& name_space,
                          const BodyForm& form = {});
std::string cache_key(const ChatRequest& request,
                      const std::string& name_space,
                      const BodyForm& form = {});

struct TokenChance {
  std::string token;
  double logprob = 0;
};

struct ChatAnswer {
  std::string text;
  std::string finish_reason = {};
  std::string model = {};                     // as the server calls itself
  std::string refusal = {};                   // what the server says when it refuses
  std::string reasoning = {};                 // kept, never parsed
  std::vector<TokenChance> first_token = {};  // the likeliest, where the server says
  uint64_t prompt_tokens = 0;
  uint64_t completion_tokens = 0;
  // The mean log-probability of the prompt's tokens, where it was asked for and the server says.
  std::optional<double> prompt_likelihood = {};

  bool is_refused() const { return !refusal.empty() || finish_reason == "content_filter"; }
};

// The answer of a body with status 200; an Error for a body that is no such answer.
Result<ChatAnswer> read_answer(std::string_view body);
// What a body with another status says is wrong: `error.message`, `detail` (a text or a list), or
// its first line. Without the secret and control characters, at most 300 bytes.
std::string read_refusal(std::string_view body, std::string_view secret = {});
// The member of a request that such a message calls unknown or unsupported; "" for none.
std::string unknown_field(std::string_view message);

// As it is kept in the cache.
std::string answer_to_json(const ChatAnswer& answer);
Result<ChatAnswer> answer_of_json(std::string_view json);

}  // namespace snellen::models::openai
