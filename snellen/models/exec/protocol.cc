// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/protocol.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/base64.h"
#include "snellen/base/hash.h"
#include "snellen/base/json_object.h"
#include "snellen/base/version.h"
#include "snellen/formats/json.h"
#include "snellen/formats/python_tokens.h"

namespace snellen::models::exec {
namespace {

using Json = nlohmann::json;

constexpr int kMostNesting = 16;
constexpr size_t kMostNameBytes = 200;
constexpr size_t kShownBytes = 200;

std::string shown(std::string_view line) {
  return python_string(cut_text(line, kShownBytes));
}

// Discarded when the line is no JSON object.
Json object_of(std::string_view line) {
  if (formats::nests_deeper_than(line, kMostNesting)) return Json(Json::value_t::discarded);
  std::optional<std::string> plain = formats::replace_python_tokens(line, formats::TokensAs::kNull);
  Json json = formats::parse_json(plain ? *plain : line);
  return json.is_object() ? json : Json(Json::value_t::discarded);
}

Error bad_line(std::string_view what, std::string_view line) {
  return {
      ErrorCode::kInvalidInput,
      fmt::format("wrote {}: {}", what, shown(line)),
      "adapter",
      "its standard output is for answers alone, one JSON object per line; see docs/adapters.md"};
}

std::string text_or_empty(const Json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

std::string short_text(const Json& json, const char* key) {
  return std::string(cut_text(text_or_empty(json, key), kMostNameBytes));
}

// Two that differ in their last byte are two.
std::string identity_of(const Json& json) {
  std::string identity = text_or_empty(json, "identity");
  return identity.size() <= kMostNameBytes ? identity : "sha256:" + sha256_hex(identity);
}

// 0 for null and absent; nothing for what is no count.
std::optional<size_t> count_or_none(const Json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end() || found->is_null()) return 0;
  if (!found->is_number_unsigned() || found->get<uint64_t>() == 0) return std::nullopt;
  return found->get<size_t>();
}

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};
constexpr auto kModes = std::to_array<Word<Mode>>({{"similarity", Mode::kSimilarity},
                                                   {"probability", Mode::kProbability},
                                                   {"perplexity", Mode::kPerplexity},
                                                   {"embedding", Mode::kEmbedding}});
constexpr auto kWants = std::to_array<Word<Wants>>({{"path", Wants::kPath},
                                                    {"frames", Wants::kFrames},
                                                    {"pixels", Wants::kPixels},
                                                    {"texts", Wants::kTexts}});

// Leaves `value` as it is when the key is absent; false for an unknown word.
template <typename Value, size_t N>
bool read_word(const Json& json,
               const char* key,
               const std::array<Word<Value>, N>& words,
               Value& value) {
  if (!json.contains(key)) return true;
  for (const Word<Value>& word : words) {
    if (json[key] != word.word) continue;
    value = word.value;
    return true;
  }
  return false;
}

JsonValue path_or_null(const std::string& path) {
  return path.empty() ? JsonValue() : path;
}

Error not_finite(const char* key, size_t place) {
  return {ErrorCode::kInvalidInput,
          fmt::format("number {} of the adapter's \"{}\" is not a finite number", place + 1, key),
          key,
          "answer with \"error\" where there is none"};
}

Result<std::vector<double>> numbers_of(const Json& list, const char* key) {
  if (!list.is_array())
    return Error{
        ErrorCode::kInvalidInput, fmt::format("the adapter's answer has no list \"{}\"", key), key};
  std::vector<double> values;
  values.reserve(list.size());
  for (const Json& one : list) {
    if (!one.is_number() || !std::isfinite(one.get<double>()))
      return not_finite(key, values.size());
    values.push_back(one.get<double>());
  }
  return values;
}

// Numbers as float32 with the lowest byte first, in base64.
Result<std::vector<double>> row_of(const Json& row) {
  if (!row.is_string()) return numbers_of(row, "row");
  const Result<std::string> bytes = from_base64(row.get_ref<const std::string&>());
  if (!bytes || bytes->size() % 4 != 0)
    return Error{ErrorCode::kInvalidInput,
                 "the adapter's \"row\" is not base64 of whole float32 numbers",
                 "row"};
  std::vector<double> values;
  values.reserve(bytes->size() / 4);
  for (size_t at = 0; at < bytes->size(); at += 4) {
    uint32_t number = 0;
    for (size_t i = 0; i < 4; ++i)
      number |= static_cast<uint32_t>(static_cast<unsigned char>((*bytes)[at + i])) << 8 * i;
    const auto value = std::bit_cast<float>(number);
    if (!std::isfinite(value)) return not_finite("row", values.size());
    values.push_back(value);
  }
  return values;
}

std::string line_of(const JsonObject& json) {
  return json.as_ascii().text + "\n";
}

}  // namespace

std::string_view name_of(Mode mode) {
  for (const Word<Mode>& word : kModes) {
    if (word.value == mode) return word.word;
  }
  return "similarity";
}

std::string name_of(const Request& request) {
  std::string name = request.item;
  if (request.task > 0) name = fmt::format("{}:{}", request.task, name);
  if (request.part > 0) name += fmt::format("#{}", request.part);
  return name;
}

std::string_view cut_text(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t end = most_bytes;
  // A character has at most three bytes after its first.
  for (int i = 0; i < 3 && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++i)
    --end;
  return text.substr(0, end);
}

std::string hello_line(int64_t frames) {
  return line_of(
      {{"op", "hello"}, {"version", kProtocolVersion}, {"snellen", version()}, {"frames", frames}});
}

std::string request_line(const Request& request) {
  const ShownVisual& visual = request.visual;
  JsonValue pixels;
  if (!visual.pixels.path.empty())
    pixels = JsonObject{{"path", visual.pixels.path},
                        {"frames", visual.pixels.frames},
                        {"height", visual.pixels.height},
                        {"width", visual.pixels.width},
                        {"format", "rgb24"}};
  JsonObject line = {{"op", request.wants_row ? "embed" : "score"},
                     {"id", request.id},
                     {"task", request.task},
                     {"item", request.item},
                     {"part", request.part},
                     {"image", path_or_null(visual.image)},
                     {"video", path_or_null(visual.video)},
                     {"frames_dir", path_or_null(visual.frames_dir)},
                     {"pixels", std::move(pixels)},
                     {"start", visual.window.start},
                     {"end", visual.window.end},
                     {"unit", visual.window.unit == media::ClipUnit::kFrames ? "frame" : "sec"},
                     {"fps", visual.fps},
                     {"texts", request.texts}};
  if (!request.frames.empty()) line.add({{"frames", request.frames}});
  return line_of(line);
}

Result<WrittenRequest> read_request(std::string_view line) {
  const Json json = object_of(line);
  if (json.is_discarded() || !json.contains("op"))
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("is no request: {}", shown(line)),
                 "",
                 "name the file that `run --export-requests` wrote"};
  WrittenRequest request{.id = text_or_empty(json, "id")};
  const Json frames = json.value("frames", Json());
  for (size_t i = 0; frames.is_array() && i < frames.size(); ++i)
    if (frames[i].is_number_integer()) request.frames.push_back(frames[i].get<int64_t>());
  return request;
}

std::string bye_line() {
  return line_of({{"op", "bye"}});
}

Result<Ready> read_ready(std::string_view line) {
  Json json = object_of(line);
  if (json.is_discarded()) return bad_line("a line that is not a JSON object", line);
  if (json.contains("error"))
    return Error{ErrorCode::kInvalidInput, short_text(json, "error"), "adapter"};
  if (json.value("ready", Json()) != true) return bad_line("no \"ready\": true", line);
  if (json.value("version", Json(kProtocolVersion)) != kProtocolVersion) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("speaks version {} of the protocol, this program version {}",
                             json["version"].dump().substr(0, 20),
                             kProtocolVersion),
                 "adapter"};
  }
  Ready ready{.name = short_text(json, "name"), .identity = identity_of(json)};
  if (!read_word(json, "mode", kModes, ready.mode))
    return bad_line("a \"mode\" that is none of similarity, probability, perplexity, embedding",
                    line);
  if (!read_word(json, "wants", kWants, ready.wants))
    return bad_line("\"wants\" that is none of path, frames, pixels, texts", line);
  std::optional<size_t> texts = count_or_none(json, "max_texts");
  std::optional<size_t> in_flight = count_or_none(json, "max_in_flight");
  if (!texts || !in_flight)
    return bad_line("a \"max_texts\" or \"max_in_flight\" that is not a whole number of at least 1",
                    line);
  const Json independent = json.value("independent_scores", Json(false));
  const Json no_picture = json.value("takes_no_picture", Json(false));
  const Json scale = json.value("scale", Json(1.0));
  if (!independent.is_boolean())
    return bad_line("\"independent_scores\" that is neither true nor false", line);
  if (!no_picture.is_boolean())
    return bad_line("\"takes_no_picture\" that is neither true nor false", line);
  if (!scale.is_number() || !std::isfinite(scale.get<double>()))
    return bad_line("a \"scale\" that is not a finite number", line);
  if (ready.mode == Mode::kEmbedding && ready.wants == Wants::kTexts)
    return bad_line("\"mode\": \"embedding\" with \"wants\": \"texts\"", line);
  ready.has_independent_scores = independent.get<bool>();
  ready.takes_no_picture = no_picture.get<bool>();
  ready.scale = scale.get<double>();
  ready.max_texts = *texts;
  ready.max_in_flight = *in_flight;
  return ready;
}

Result<Reply> read_reply(std::string_view line) {
  Json json = object_of(line);
  if (json.is_discarded()) return bad_line("a line that is not a JSON object", line);
  auto id = json.find("id");
  if (id == json.end() || !id->is_string()) return bad_line("an answer without an id", line);
  if (json.contains("error")) {
    std::string reason = short_text(json, "error");
    return Reply{id->get<std::string>(),
                 Error{ErrorCode::kInvalidInput,
                       fmt::format("the adapter says: {}", reason.empty() ? "error" : reason)}};
  }
  return Reply{id->get<std::string>(),
               json.contains("row") ? row_of(json["row"])
                                    : numbers_of(json.value("scores", Json()), "scores")};
}

Result<std::vector<double>> usable_values(const std::vector<double>& scores,
                                          const Request& request,
                                          Mode mode) {
  if (request.wants_row) {
    if (!scores.empty()) return scores;
    return Error{ErrorCode::kInvalidInput, "the adapter gave a \"row\" without a number", "row"};
  }
  if (scores.size() != request.texts.size()) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("the adapter gave {} scores for {} texts", scores.size(), request.texts.size()),
        "scores",
        "give one score per text, in their order"};
  }
  if (mode != Mode::kPerplexity) return scores;
  std::vector<double> likelihoods;
  for (double perplexity : scores) {
    if (!(perplexity > 0))
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("the adapter gave a perplexity of {}", perplexity),
                   "scores",
                   "perplexities are above 0"};
    likelihoods.push_back(-std::log(perplexity));
  }
  return likelihoods;
}

}  // namespace snellen::models::exec
