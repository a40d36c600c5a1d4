// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/settings.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/files.h"
#include "snellen/config/groups.h"
#include "snellen/formats/json.h"

namespace snellen::models::openai {
namespace {

constexpr double kMostTokens = 1'000'000;
constexpr size_t kMostKeyBytes = 16 * 1024;

std::vector<config::Option> server_options() {
  using config::option;
  using S = Settings;
  return {
      option(&S::base_urls,
             "base-url",
             "address of the server, ending in /v1; several of servers that are alike")
          .many()
          .value("URL"),
      option(&S::key_variable, "api-key-env", "variable of the environment that holds the key")
          .value("NAME"),
      option(&S::key_file, "api-key-file", "file that holds the key").value("FILE"),
      option(&S::concurrency, "concurrency", "requests under way at once").range(1, 4096),
      option(&S::requests_per_minute, "rpm", "most requests per minute; 0: no limit").range(0),
      option(&S::tokens_per_minute, "tpm", "most tokens per minute; 0: no limit").range(0),
      option(&S::retries, "retries", "how often a request that failed for now is sent again")
          .range(0, 100),
      option(&S::timeout_s, "timeout", "longest time of one attempt, in seconds").above(0),
      option(&S::connect_timeout_s, "connect-timeout", "longest time to connect, in seconds")
          .rare()
          .above(0),
      option(&S::max_errors,
             "max-errors",
             "end the run when more requests failed for good: a number, or a share as 5%")
          .value("N|P%"),
      option(&S::is_insecure, "insecure", "take any certificate"),
      option(&S::cache_namespace,
             "cache-namespace",
             "whose answers these are in the cache (default: the address without its port)")
          .value("TEXT"),
      option(&S::log_level, "log-level", "debug: tell every reply")
          .choices({"info", "debug"})
          .unstamped(),
      option(&S::prompt_price, "prompt-price", "price of a million prompt tokens, for the totals")
          .rare()
          .range(0),
      option(&S::answer_price, "answer-price", "price of a million answer tokens, for the totals")
          .rare()
          .range(0)};
}

std::vector<config::Option> request_options() {
  using config::option;
  using S = Settings;
  return {
      option(&S::yes_template,
             "yes-template",
             "what --score yes asks; {} stands for the text that is scored"),
      option(&S::letter_question, "letter-question", "what --score letter asks above the options"),
      option(&S::answer_mode,
             "answer-mode",
             "an answer is the text that the model writes, or the likeliest of the question's "
             "letters as its first token")
          .choices({"text", kLetterLogprob}),
      option(&S::system, "system", "text of a system message"),
      option(&S::temperature, "temperature", "0: the likeliest tokens").range(0, 100),
      option(&S::top_p, "top-p", "share of the likeliest tokens that are drawn from").range(0, 1),
      option(&S::max_tokens,
             "max-tokens",
             "longest answer in tokens (default: 1 for scores, 16 for answers)")
          .range(1, kMostTokens),
      option(&S::stop, "stop", "texts that end an answer").many().whole_words(),
      option(&S::extra, "extra", "further members of every request, as a JSON object")
          .value("JSON"),
      option(&S::max_tokens_field, "max-tokens-field", "how the server calls max_tokens").rare(),
      option(&S::dropped_fields, "drop-field", "members that are left out of every request")
          .rare()
          .many(),
      option(&S::puts_pictures_last, "image-last", "send pictures behind the text").rare(),
      option(&S::sends_plain_text,
             "plain-text",
             "send a text without pictures as a string, not as a list of one part")
          .rare(),
      option(&S::frames_per_clip, "chat-frames", "frames of a clip that are shown").range(1, 256),
      option(&S::image_format, "image-format", "how pictures are encoded").choices({"png", "jpg"}),
      option(&S::jpeg_quality, "jpeg-quality", "with --image-format jpg").rare().range(1, 100),
      option(&S::jpeg_subsampling,
             "jpeg-subsampling",
             "of the colours, with --image-format jpg",
             {{"420", media::ChromaSubsampling::k420},
              {"422", media::ChromaSubsampling::k422},
              {"444", media::ChromaSubsampling::k444}})
          .rare(),
      option(&S::max_side, "max-side", "longest side of pictures in pixels; 0: as they are")
          .range(0, 65536),
      option(&S::resize_stage,
             "resize-stage",
             "--max-side acts before noise and other controls change a picture, or after")
          .rare()
          .choices({"before", "after"}),
      option(&S::max_request_mb, "max-request-mb", "largest request in MB; larger ones fail")
          .rare()
          .above(0)};
}

Error usage(std::string what, std::string flag, std::string hint) {
  return Error{ErrorCode::kUsage, std::move(what), std::move(flag), std::move(hint)};
}

// From the file, else from the environment. It is in no message.
std::string key_of(const Settings& settings, const ModelRequest& request) {
  std::string key;
  std::string where = "--api-key-env " + settings.key_variable;
  if (!settings.key_file.empty()) {
    key = read_text_file(settings.key_file, kMostKeyBytes);
    where = "--api-key-file " + settings.key_file.string();
  } else if (request.variable) {
    key = request.variable(settings.key_variable);
  }
  constexpr const char* kBlanks = " \t\r\n";
  key.erase(0, std::min(key.find_first_not_of(kBlanks), key.size()));
  key.erase(key.find_last_not_of(kBlanks) + 1);
  const bool is_plain = std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; });
  if (!is_plain) throw usage("holds characters that no key has", where, "give one key, one line");
  return key;
}

}  // namespace

config::Block settings_block() {
  std::vector<config::Option> options =
      config::joined({config::grouped("The server", server_options()),
                      config::grouped("What is asked", request_options())});
  // Stamps of runs with other models do not tell of them; of those that decide answers the model's
  // own identity tells.
  for (config::Option& option : options) option.identity(false).omit_default();
  return config::Block(Settings{}, std::move(options));
}

std::vector<Model::Identity> identity_of(const Settings& settings) {
  std::vector<Model::Identity> identity = {
      {"yes_template", settings.yes_template},
      {"letter_question", settings.letter_question},
      {"temperature", fmt::format("{}", settings.temperature)},
      {"top_p", fmt::format("{}", settings.top_p)},
      {"frames_per_clip", fmt::format("{}", settings.frames_per_clip)},
      {"image_format",
       settings.image_format == "jpg" ? fmt::format("jpg {}", settings.jpeg_quality) : "png"}};
  if (!settings.system.empty()) identity.push_back({"system", settings.system});
  if (settings.max_tokens)
    identity.push_back({"max_tokens", fmt::format("{}", *settings.max_tokens)});
  if (!settings.stop.empty())
    identity.push_back({"stop", fmt::format("{}", fmt::join(settings.stop, "\n"))});
  if (!settings.extra.empty()) identity.push_back({"extra", settings.extra});
  if (settings.answer_mode != "text") identity.push_back({"answer_mode", settings.answer_mode});
  if (settings.max_side > 0) identity.push_back({"max_side", fmt::format("{}", settings.max_side)});
  if (settings.max_side > 0 && settings.resize_stage != "before")
    identity.push_back({"resize_stage", settings.resize_stage});
  if (settings.jpeg_subsampling != media::ChromaSubsampling::k420)
    identity.push_back(
        {"jpeg_subsampling",
         settings.jpeg_subsampling == media::ChromaSubsampling::k422 ? "422" : "444"});
  if (settings.puts_pictures_last) identity.push_back({"image_last", "true"});
  if (settings.sends_plain_text) identity.push_back({"plain_text", "true"});
  if (!settings.dropped_fields.empty())
    identity.push_back({"drop_field", fmt::format("{}", fmt::join(settings.dropped_fields, ","))});
  return identity;
}

ErrorLimit error_limit_of(const std::string& text) {
  if (text.empty()) return {};
  const bool is_share = text.back() == '%';
  const std::string_view digits =
      std::string_view(text).substr(0, text.size() - (is_share ? 1 : 0));
  double value = 0;
  auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_number = code == std::errc() && end == digits.data() + digits.size() && value >= 0;
  if (digits.empty() || !is_number || (is_share && value > 100))
    throw usage(fmt::format("'{}' is no number and no share", text.substr(0, 40)),
                "--max-errors",
                "for example --max-errors 20, or --max-errors 5%");
  if (is_share) return {.share = value / 100};
  return {.count = static_cast<uint64_t>(value)};
}

EndpointOptions endpoint_options(const Settings& settings, const ModelRequest& request) {
  if (settings.base_urls.empty())
    throw usage("no server named", "--base-url", "for example --base-url http://127.0.0.1:8000/v1");
  for (const std::string& url : settings.base_urls) check_base_url(url);
  constexpr const char* kMostUsualField = "max_tokens";
  BodyForm form{.max_tokens_field =
                    settings.max_tokens_field.empty() ? kMostUsualField : settings.max_tokens_field,
                .puts_pictures_last = settings.puts_pictures_last,
                .sends_plain_text = settings.sends_plain_text};
  form.dropped.insert(settings.dropped_fields.begin(), settings.dropped_fields.end());
  return {.base_urls = settings.base_urls,
          .key = key_of(settings, request),
          .name_space = settings.cache_namespace,
          .cache = {},
          .max_request_bytes = static_cast<size_t>(settings.max_request_mb * 1e6),
          .max_errors = error_limit_of(settings.max_errors),
          .client = {.connect_timeout_s = settings.connect_timeout_s,
                     .timeout_s = settings.timeout_s,
                     .max_connections = settings.concurrency,
                     .is_insecure = settings.is_insecure},
          .queue = {.concurrency = settings.concurrency,
                    .requests_per_minute = settings.requests_per_minute,
                    .tokens_per_minute = settings.tokens_per_minute,
                    .retries = settings.retries,
                    .seed = request.seed},
          .form = std::move(form)};
}

PictureOptions picture_options(const Settings& settings, bool is_compat) {
  return {.is_jpeg = settings.image_format == "jpg",
          .jpeg_quality = settings.jpeg_quality,
          .jpeg_subsampling = settings.jpeg_subsampling,
          .max_side = settings.max_side,
          .shrinks_last = settings.resize_stage == "after",
          .frames_per_clip = settings.frames_per_clip,
          .is_compat = is_compat};
}

ChatParameters chat_parameters(const Settings& settings, uint64_t seed) {
  ChatParameters parameters{.temperature = settings.temperature,
                            .top_p = settings.top_p,
                            .seed = static_cast<int64_t>(seed & INT64_MAX),
                            .stop = settings.stop};
  if (settings.extra.empty()) return parameters;
  parameters.extra = formats::parse_json(settings.extra);
  if (!parameters.extra.is_object())
    throw usage("is no JSON object", "--extra", R"(for example --extra '{"top_k": 1}')");
  return parameters;
}

}  // namespace snellen::models::openai
