// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/protocol.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/hash.h"
#include "snellen/base/python_json.h"
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
  return {ErrorCode::kInvalidInput,
          fmt::format("wrote {}: {}", what, shown(line)),
          "adapter",
          "its standard output is for answers alone, one JSON object a line; see docs/adapters.md"};
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
                                                   {"perplexity", Mode::kPerplexity}});
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

std::string path_or_null(const std::string& path) {
  return path.empty() ? "null" : python_string(path);
}

std::string number_or_null(const std::optional<double>& number) {
  return number ? python_float(*number) : "null";
}

Result<std::vector<double>> scores_of(const Json& scores) {
  if (!scores.is_array())
    return Error{ErrorCode::kInvalidInput, "the adapter's scores are no list", "scores"};
  std::vector<double> values;
  values.reserve(scores.size());
  for (const Json& score : scores) {
    if (!score.is_number() || !std::isfinite(score.get<double>())) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("the adapter's score {} is no finite number", values.size() + 1),
                   "scores",
                   "answer with \"error\" where there is no score"};
    }
    values.push_back(score.get<double>());
  }
  return values;
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
  return fmt::format("{{\"op\": \"hello\", \"version\": {}, \"snellen\": {}, \"frames\": {}}}\n",
                     kProtocolVersion,
                     python_string(version()),
                     frames);
}

std::string score_line(const Request& request) {
  const ShownVisual& visual = request.visual;
  std::string pixels = "null";
  if (!visual.pixels.path.empty()) {
    pixels = fmt::format(
        "{{\"path\": {}, \"frames\": {}, \"height\": {}, \"width\": {}, \"format\": \"rgb24\"}}",
        python_string(visual.pixels.path),
        visual.pixels.frames,
        visual.pixels.height,
        visual.pixels.width);
  }
  std::string line = fmt::format(
      "{{\"op\": \"score\", \"id\": {}, \"task\": {}, \"item\": {}, \"part\": {}, \"image\": {}, "
      "\"video\": {}, \"frames_dir\": {}, "
      "\"pixels\": {}, \"start\": {}, \"end\": {}, \"unit\": \"{}\", \"fps\": {}, \"texts\": [",
      python_string(request.id),
      request.task,
      python_string(request.item),
      request.part,
      path_or_null(visual.image),
      path_or_null(visual.video),
      path_or_null(visual.frames_dir),
      pixels,
      number_or_null(visual.window.start),
      number_or_null(visual.window.end),
      visual.window.unit == media::ClipUnit::kFrames ? "frame" : "sec",
      number_or_null(visual.fps));
  for (size_t i = 0; i < request.texts.size(); ++i) {
    if (i > 0) line += ", ";
    append_python_string(line, request.texts[i]);
  }
  return line + "]}\n";
}

std::string bye_line() {
  return "{\"op\": \"bye\"}\n";
}

Result<Ready> read_ready(std::string_view line) {
  Json json = object_of(line);
  if (json.is_discarded()) return bad_line("a line that is no JSON object", line);
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
    return bad_line("a mode that is none of similarity, probability, perplexity", line);
  if (!read_word(json, "wants", kWants, ready.wants))
    return bad_line("\"wants\" that is none of path, frames, pixels, texts", line);
  std::optional<size_t> texts = count_or_none(json, "max_texts");
  std::optional<size_t> in_flight = count_or_none(json, "max_in_flight");
  if (!texts || !in_flight)
    return bad_line("a max_texts or max_in_flight that is no count from 1", line);
  ready.max_texts = *texts;
  ready.max_in_flight = *in_flight;
  return ready;
}

Result<Reply> read_reply(std::string_view line) {
  Json json = object_of(line);
  if (json.is_discarded()) return bad_line("a line that is no JSON object", line);
  auto id = json.find("id");
  if (id == json.end() || !id->is_string()) return bad_line("an answer without an id", line);
  if (json.contains("error")) {
    std::string reason = short_text(json, "error");
    return Reply{id->get<std::string>(),
                 Error{ErrorCode::kInvalidInput,
                       fmt::format("the adapter says: {}", reason.empty() ? "error" : reason)}};
  }
  return Reply{id->get<std::string>(), scores_of(json.value("scores", Json()))};
}

Result<std::vector<double>> usable_scores(const std::vector<double>& scores,
                                          size_t num_texts,
                                          Mode mode) {
  if (scores.size() != num_texts) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the adapter gave {} scores for {} texts", scores.size(), num_texts),
                 "scores",
                 "give one score a text, in their order"};
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
