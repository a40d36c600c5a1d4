// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_served.h"

#include <charconv>
#include <string>

#include <fmt/format.h>

#include "snellen/models/openai/chat.h"
#include "snellen/models/openai/mock.h"

namespace snellen::golden {
namespace {

namespace openai = models::openai;

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

// The request that the key object describes, as `run` makes it.
openai::ChatRequest request_of(const Json& vector) {
  const Json& object = vector.at("key_object");
  openai::ChatRequest request{
      .model = object.at("model"), .text = {}, .sample = object.at("sample").get<uint64_t>()};
  for (const Json& part : object.at("messages").at(0).at("content")) {
    if (part.at("type") == "text") {
      request.text = part.at("text");
    } else {
      request.pictures.push_back(
          openai::encoded_picture(part.at("mime"), from_hex(vector.at("image_bytes_hex"))));
    }
  }
  const Json& given = object.at("params");
  openai::ChatParameters& parameters = request.parameters;
  parameters.temperature = given.at("temperature");
  parameters.top_p = given.at("top_p");
  parameters.max_tokens = given.at("max_tokens");
  parameters.seed = std::nullopt;
  if (!given.at("seed").is_null()) parameters.seed = given.at("seed").get<int64_t>();
  for (const Json& stop : given.at("stop")) parameters.stop.push_back(stop);
  parameters.top_logprobs = given.at("top_logprobs");
  parameters.extra = nlohmann::json::parse(given.at("extra").dump());
  return request;
}

// The number of the letter that the mock server answers.
size_t answered_letter(const openai::ChatRequest& request, size_t num_options) {
  openai::Mock mock({.num_options = num_options});
  http::Request post{.method = "POST", .path = "/v1/chat/completions"};
  for (const http::Piece& piece : openai::body_of(request, {})) post.body += *piece;
  const std::string text = openai::read_answer(mock.answer(post).body).value().text;
  return text.size() == 1 ? static_cast<size_t>(text[0] - 'A') : num_options;
}

}  // namespace

void check_cache_mock(const Context& context, Tally& tally) {
  size_t number = 0;
  for (const Json& vector : context.json()) {
    tally.start(fmt::format("request {}", number++));
    const openai::ChatRequest request = request_of(vector);
    const std::string name_space = vector.at("key_object").at("namespace");
    for (const openai::Picture& picture : request.pictures)
      tally.expect(picture->sha256 == vector.at("image_sha256"), "picture's hash");
    tally.expect(
        openai::canonical_json(openai::key_object(request, name_space)) == vector.at("canonical"),
        "canonical text");
    tally.expect(openai::cache_key(request, name_space) == vector.at("cache_key"), "cache key");
    for (const size_t num_options : {3, 5})
      tally.expect(answered_letter(request, num_options) ==
                       vector.at(fmt::format("mock_hash_index_{}", num_options)).get<size_t>(),
                   fmt::format("the mock's letter of {}", num_options));
  }
}

}  // namespace snellen::golden
