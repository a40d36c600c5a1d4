// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/mock.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>
#include <nlohmann/json.hpp>

#include "snellen/base/ascii.h"
#include "snellen/base/content_key.h"
#include "snellen/base/hash.h"
#include "snellen/base/rng.h"
#include "snellen/formats/json.h"
#include "snellen/models/openai/chances.h"

namespace snellen::models::openai {
namespace {

using nlohmann::json;

constexpr unsigned kMostFaultsPerRequest = 3;
constexpr double kChosenLogprob = -0.1;

Error usage(std::string what, const char* flag, std::string hint) {
  return Error{ErrorCode::kUsage, std::move(what), flag, std::move(hint)};
}

double number_of(std::string_view text, const char* flag) {
  double value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc{} || end != text.data() + text.size() || !(value >= 0))
    throw usage(fmt::format("'{}' is no number from 0 up", text.substr(0, 40)), flag, "");
  return value;
}

std::string key_text(const ContentKey& key) {
  return fmt::format("{:016x}{:016x}", key.high, key.low);
}

// What a request shows and asks.
struct Asked {
  std::string model;
  std::vector<std::string> texts;
  std::vector<MockPictures::Held> pictures;
  bool wants_logprobs = false;
};

http::Response refused(std::string_view what) {
  return {.status = 400,
          .body = json({{"error", {{"message", what}, {"type", "invalid_request_error"}}}}).dump()};
}

std::string_view url_of(simdjson::dom::element image_url) {
  std::string_view text;
  if (image_url.is_object() && image_url["url"].get(text) != simdjson::SUCCESS) text = {};
  if (image_url.is_string()) text = image_url.get_string().value();
  return text;
}

Result<bool> read_content(simdjson::dom::element content, MockPictures& pictures, Asked& asked) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS) {
    asked.texts.emplace_back(text);
    return true;
  }
  simdjson::dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS)
    return Error{ErrorCode::kInvalidInput, "content is neither a text nor a list"};
  for (simdjson::dom::element part : parts) {
    std::string_view type;
    if (part["type"].get(type) != simdjson::SUCCESS)
      return Error{ErrorCode::kInvalidInput, "a part of content has no type"};
    if (type == "text" && part["text"].get(text) == simdjson::SUCCESS) {
      asked.texts.emplace_back(text);
    } else if (simdjson::dom::element url;
               type == "image_url" && part["image_url"].get(url) == simdjson::SUCCESS) {
      Result<MockPictures::Held> picture = pictures.of(url_of(url));
      if (!picture) return picture.error();
      asked.pictures.push_back(std::move(picture).value());
    } else {
      return Error{ErrorCode::kInvalidInput, "a part of content is neither text nor image_url"};
    }
  }
  return true;
}

Result<Asked> read_request(const std::string& body, MockPictures& pictures) {
  thread_local simdjson::dom::parser parser;
  simdjson::dom::element request;
  if (parser.allocate(body.size(), formats::kMaxJsonDepth) != simdjson::SUCCESS ||
      parser.parse(body).get(request) != simdjson::SUCCESS || !request.is_object())
    return Error{ErrorCode::kInvalidInput, "the body is no JSON object"};
  Asked asked;
  std::string_view model;
  simdjson::dom::array messages;
  if (request["model"].get(model) != simdjson::SUCCESS)
    return Error{ErrorCode::kInvalidInput, "model is missing"};
  if (request["messages"].get(messages) != simdjson::SUCCESS || messages.size() == 0)
    return Error{ErrorCode::kInvalidInput, "messages is missing"};
  asked.model = model;
  for (simdjson::dom::element message : messages) {
    simdjson::dom::element content;
    std::string_view role;
    if (message["role"].get(role) != simdjson::SUCCESS ||
        message["content"].get(content) != simdjson::SUCCESS)
      return Error{ErrorCode::kInvalidInput, "a message has no role or no content"};
    Result<bool> read = read_content(content, pictures, asked);
    if (!read) return read.error();
  }
  if (request["logprobs"].get(asked.wants_logprobs) != simdjson::SUCCESS)
    asked.wants_logprobs = false;
  return asked;
}

std::string digest(std::string_view text, const std::vector<std::string>& picture_hashes) {
  std::string bytes(text);
  bytes += '\0';
  bytes += fmt::format("{}", fmt::join(picture_hashes, ","));
  return sha256_hex(bytes);
}

uint64_t hex_number(std::string_view hex) {
  uint64_t value = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  return value;
}

constexpr auto kStories =
    std::to_array<std::string_view>({"A happy, friendly person enjoys a wonderful day.",
                                     "Someone sits at a table and reads a letter.",
                                     "A sad and lonely person had a terrible day.",
                                     "They work carefully and are proud of the good result."});

struct Said {
  std::string text;
  std::vector<std::pair<std::string, double>> chances = {};  // of the first token
};

Said letter(size_t number, size_t count) {
  Said said{.text = std::string(1, static_cast<char>('A' + number))};
  const double rest =
      (1 - std::exp(kChosenLogprob)) / static_cast<double>(std::max<size_t>(count, 2) - 1);
  for (size_t i = 0; i < count; ++i)
    said.chances.emplace_back(std::string(1, static_cast<char>('A' + i)),
                              i == number ? kChosenLogprob : std::log(rest));
  return said;
}

Said yes_or_no(double share) {
  constexpr double kMass = 0.98;
  return {.text = share >= 0.5 ? "Yes" : "No",
          .chances = {{"Yes", std::log(share * kMass * 0.75)},
                      {" yes", std::log(share * kMass * 0.25)},
                      {"No", std::log((1 - share) * kMass)},
                      {"The", std::log(1 - kMass)}}};
}

}  // namespace

MockMode mock_mode_of(std::string_view text) {
  constexpr const char* kFlag = "--mode";
  constexpr auto kPlain =
      std::to_array<std::string_view>({"hash", "refuse", "garbage", "empty", "think"});
  MockMode mode{.kind = std::string(text.substr(0, text.find(':')))};
  const std::string_view rest =
      mode.kind.size() < text.size() ? text.substr(mode.kind.size() + 1) : std::string_view();
  if (std::ranges::find(kPlain, text) != kPlain.end()) return mode;
  if (mode.kind == "always" && !rest.empty()) {
    mode.text = rest;
    return mode;
  }
  if (mode.kind == "biased") {
    mode.threshold = number_of(rest, kFlag);
    return mode;
  }
  const size_t first = rest.find(':');
  const size_t second = first == std::string_view::npos ? first : rest.find(':', first + 1);
  if (mode.kind != "texture" || second == std::string_view::npos)
    throw usage(fmt::format("'{}' is no mode", text.substr(0, 40)),
                kFlag,
                "always:TEXT, hash, texture:T:X:Y, biased:P, refuse, garbage, empty or think");
  mode.threshold = number_of(rest.substr(0, first), kFlag);
  mode.below = rest.substr(first + 1, second - first - 1);
  mode.above = rest.substr(second + 1);
  return mode;
}

MockFault mock_fault_of(std::string_view text) {
  constexpr auto kKinds =
      std::to_array<std::string_view>({"429", "500", "hang", "cut", "garbage", "slow"});
  const size_t colon = std::min(text.find(':'), text.size());
  MockFault fault{.kind = std::string(text.substr(0, colon))};
  if (std::ranges::find(kKinds, fault.kind) == kKinds.end())
    throw usage(fmt::format("'{}' is no fault", fault.kind.substr(0, 40)),
                "--fault",
                fmt::format("KIND:SHARE with KIND one of {}", fmt::join(kKinds, ", ")));
  if (colon >= text.size())
    throw usage(fmt::format("'{}' has no share", fault.kind), "--fault", "for example 429:0.1");
  fault.share = number_of(text.substr(colon + 1), "--fault");
  if (fault.share > 1)
    throw usage("the share is above 1", "--fault", "for example --fault 429:0.1");
  return fault;
}

size_t mock_hash_letter(std::string_view text,
                        const std::vector<std::string>& picture_hashes,
                        size_t count) {
  return hex_number(digest(text, picture_hashes).substr(0, 2)) % std::max<size_t>(count, 1);
}

namespace {

Said say(const MockOptions& options, const Asked& asked) {
  const std::string text = fmt::format("{}", fmt::join(asked.texts, "\n"));
  std::vector<std::string> hashes;
  for (const MockPictures::Held& picture : asked.pictures) hashes.push_back(picture->sha256);
  const std::string hash = digest(text, hashes);
  const double uniform =
      (static_cast<double>(hex_number(std::string_view(hash).substr(2, 13))) + 0.5) / 0x1p52;
  const MockMode& mode = options.mode;
  if (mode.kind == "always") return {.text = mode.text};
  if (mode.kind == "refuse") return {.text = "I'm sorry, but I can't help with that."};
  if (mode.kind == "garbage") return {.text = "\x1b[31mqzx\x07 <b>?</b> \x01"};
  if (mode.kind == "empty") return {};
  if (mode.kind == "texture") {
    const std::optional<double> texture =
        asked.pictures.empty() ? std::nullopt : asked.pictures.front()->texture;
    return {.text = texture && *texture < mode.threshold ? mode.below : mode.above};
  }
  const size_t count = options.num_options > 0 ? options.num_options : num_option_lines(text);
  if (count > 0 && mode.kind == "biased")
    return letter(uniform < mode.threshold ? 0 : count - 1, count);
  if (count > 0) return letter(mock_hash_letter(text, hashes, count), count);
  if (ascii_lower(text).find("yes or no") != std::string::npos)
    return yes_or_no(mode.kind == "biased" ? (uniform < mode.threshold ? 0.9 : 0.1) : uniform);
  return {.text = std::string(kStories[hex_number(hash.substr(0, 2)) % kStories.size()])};
}

json completion(const Asked& asked, Said said, bool gives_logprobs, bool thinks) {
  if (thinks) said.text = "<think>\nLet me look.\n</think>\n" + said.text;
  json choice = {{"index", 0},
                 {"message", {{"role", "assistant"}, {"content", said.text}}},
                 {"finish_reason", "stop"}};
  if (gives_logprobs && asked.wants_logprobs && !said.chances.empty()) {
    std::ranges::stable_sort(
        said.chances, std::greater<>{}, [](const auto& one) { return one.second; });
    json top = json::array();
    for (const auto& [token, logprob] : said.chances)
      top.push_back({{"token", token}, {"logprob", logprob}});
    json first = top.front();
    first["top_logprobs"] = std::move(top);
    choice["logprobs"] = {{"content", json::array({std::move(first)})}};
  }
  size_t num_bytes = 0;
  for (const std::string& text : asked.texts) num_bytes += text.size();
  const size_t prompt_tokens = num_bytes / 4 + 1 + 256 * asked.pictures.size();
  const size_t completion_tokens = said.text.size() / 4 + 1;
  return {{"id", "mock"},
          {"object", "chat.completion"},
          {"model", asked.model},
          {"choices", json::array({std::move(choice)})},
          {"usage",
           {{"prompt_tokens", prompt_tokens},
            {"completion_tokens", completion_tokens},
            {"total_tokens", prompt_tokens + completion_tokens}}}};
}

// A prompt is given back with the chance of each of its words, drawn from the word's letters, and
// one more word, as /completions with `echo` does. The first word has no chance.
Result<json> echoed_prompt(const std::string& body, bool gives_logprobs) {
  const json request = formats::parse_json(body);
  if (!request.is_object() || !request.contains("prompt") || !request["prompt"].is_string())
    return Error{ErrorCode::kInvalidInput, "prompt is missing"};
  if (!request.value("echo", false))
    return Error{ErrorCode::kInvalidInput, "this server only echoes prompts"};
  const auto& prompt = request["prompt"].get_ref<const std::string&>();
  json tokens = json::array();
  json logprobs = json::array();
  for (size_t at = 0; at < prompt.size();) {
    const size_t end = std::min(prompt.find(' ', at + 1), prompt.size());
    const std::string word = prompt.substr(at, end - at);
    const double draw = static_cast<double>(hex_number(sha256_hex(word).substr(0, 8))) / 0x1p32;
    logprobs.push_back(tokens.empty() ? json(nullptr) : json(-0.5 - 8 * draw));
    tokens.push_back(word);
    at = end;
  }
  const size_t num_tokens = tokens.size();
  tokens.push_back(".");
  logprobs.push_back(kChosenLogprob);
  json choice = {{"index", 0}, {"text", prompt + "."}, {"finish_reason", "length"}};
  if (gives_logprobs)
    choice["logprobs"] = {{"tokens", std::move(tokens)}, {"token_logprobs", std::move(logprobs)}};
  return json{{"id", "mock"},
              {"object", "text_completion"},
              {"model", request.value("model", "")},
              {"choices", json::array({std::move(choice)})},
              {"usage",
               {{"prompt_tokens", num_tokens},
                {"completion_tokens", 1},
                {"total_tokens", num_tokens + 1}}}};
}

}  // namespace

http::Response Mock::answer(const http::Request& request) {
  if (request.method == "GET" && request.path == "/health") return {.body = R"({"status":"ok"})"};
  if (request.method == "GET" && request.path == "/stats") return {.body = stats()};
  if (request.method == "GET" && request.path == "/v1/models")
    return {.body = R"({"object":"list","data":[{"id":"mock","object":"model"}]})"};
  const bool is_prompt = request.path == "/v1/completions";
  if (!is_prompt && request.path != "/v1/chat/completions")
    return {.status = 404, .body = R"({"error":{"message":"no such path"}})"};
  if (request.method != "POST")
    return {.status = 405, .body = R"({"error":{"message":"only POST"}})"};
  return complete(request.body, is_prompt);
}

http::Response Mock::complete(const std::string& body, bool is_prompt) {
  const std::string hash = key_text(content_key(body));
  unsigned attempt = 0;
  const MockFault* fault = nullptr;
  {
    std::lock_guard lock(mutex_);
    ++num_requests_;
    Seen& seen = seen_[hash];
    attempt = ++seen.tries;
    if (seen.faults < kMostFaultsPerRequest) fault = draw_fault(hash, attempt);
    if (fault != nullptr) {
      ++faults_[fault->kind];
      if (fault->kind != "slow") ++seen.faults;
    }
  }
  if (options_.delay_s > 0) sleep(options_.delay_s);
  if (fault != nullptr && fault->kind != "slow") return fail(*fault, body);
  if (fault != nullptr) sleep(options_.slow_s);
  json answer;
  if (is_prompt) {
    Result<json> read = echoed_prompt(body, options_.gives_logprobs);
    if (!read) return refused(read.error().message());
    answer = std::move(read).value();
  } else {
    Result<Asked> asked = read_request(body, pictures_);
    if (!asked) return refused(asked.error().message());
    answer = completion(
        *asked, say(options_, *asked), options_.gives_logprobs, options_.mode.kind == "think");
  }
  {
    std::lock_guard lock(mutex_);
    ++num_answers_;
    ++seen_[hash].answers;
  }
  return {.body = answer.dump(-1, ' ', false, json::error_handler_t::replace)};
}

const MockFault* Mock::draw_fault(const std::string& hash, unsigned attempt) const {
  double draw = Rng(options_.seed).fork("mock-fault").fork(hash).fork(attempt).u01();
  for (const MockFault& fault : options_.faults) {
    if (draw < fault.share) return &fault;
    draw -= fault.share;
  }
  return nullptr;
}

http::Response Mock::fail(const MockFault& fault, const std::string& body) {
  if (fault.kind == "429")
    return {.status = 429,
            .body = R"({"error":{"message":"too many requests"}})",
            .headers = {{"Retry-After", fmt::format("{}", options_.retry_after_s)}}};
  if (fault.kind == "500")
    return {.status = 500, .body = "Internal Server Error", .content_type = "text/plain"};
  if (fault.kind == "garbage") return {.body = R"({"choices": [{"message": {"conte)"};
  if (fault.kind == "hang") sleep(options_.hang_s);
  return {.body = body.substr(0, 64), .cut_after = 16};
}

void Mock::sleep(double seconds) {
  std::unique_lock lock(mutex_);
  has_stopped_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return is_stopped_; });
}

void Mock::stop() {
  {
    std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  has_stopped_.notify_all();
}

std::string Mock::stats() const {
  std::lock_guard lock(mutex_);
  uint64_t num_answered = 0;
  for (const auto& [hash, seen] : seen_) num_answered += seen.answers > 0 ? 1 : 0;
  return json({{"requests", num_requests_},
               {"answers", num_answers_},
               {"distinct", seen_.size()},
               {"distinct_answered", num_answered},
               {"faults", faults_}})
      .dump();
}

}  // namespace snellen::models::openai
