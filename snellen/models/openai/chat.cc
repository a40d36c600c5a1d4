// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/chat.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/base64.h"
#include "snellen/base/hash.h"
#include "snellen/formats/json.h"
#include "snellen/models/exec/protocol.h"
#include "snellen/models/openai/secret.h"

namespace snellen::models::openai {
namespace {

using nlohmann::json;

std::string dumped(const json& value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

// A whole number as an integer: 0, not 0.0.
json number(double value) {
  const bool is_whole = std::nearbyint(value) == value && std::abs(value) < 1e15;
  return is_whole ? json(static_cast<int64_t>(value)) : json(value);
}

http::Piece piece(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// The members of a body beside its messages, before any is dropped.
json all_settings_of(const ChatRequest& request, const BodyForm& form) {
  const ChatParameters& parameters = request.parameters;
  json body = {{"temperature", number(parameters.temperature)},
               {"top_p", number(parameters.top_p)},
               {form.max_tokens_field, parameters.max_tokens},
               {"n", 1},
               {"stream", false}};
  if (parameters.seed) body["seed"] = *parameters.seed;
  if (!parameters.stop.empty()) body["stop"] = parameters.stop;
  if (request.is_read_alone) {
    body["echo"] = true;
    body["logprobs"] = 1;
  } else if (parameters.top_logprobs > 0) {
    body["logprobs"] = true;
    body["top_logprobs"] = parameters.top_logprobs;
  }
  body.update(parameters.extra);
  return body;
}

json settings_of(const ChatRequest& request, const BodyForm& form) {
  json body = all_settings_of(request, form);
  for (const std::string& name : form.dropped) body.erase(name);
  return body;
}

// How this request differs from the same one in the usual form; empty where it does not. The name
// of max_tokens changes nothing.
json form_in_force(const ChatRequest& request, const BodyForm& form) {
  json in_force = json::object();
  if (form.puts_pictures_last && !request.pictures.empty()) in_force["image_last"] = true;
  if (form.sends_plain_text && request.pictures.empty() && !request.is_read_alone)
    in_force["plain_text"] = true;
  const json body = all_settings_of(request, form);
  for (const std::string& name : form.dropped) {
    if (body.contains(name)) in_force["dropped"].push_back(name);
  }
  return in_force;
}

std::string member_text(const json& object, const char* name) {
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string joined;
  if (!value.is_array()) return joined;
  for (const json& part : value) {
    if (part.is_object() && member_text(part, "type") == "text" && part.contains("text"))
      joined += text_of(part["text"]);
  }
  return joined;
}

uint64_t member_count(const json& object, const char* name) {
  auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

std::vector<TokenChance> chances_of(const json& tokens) {
  std::vector<TokenChance> chances;
  if (!tokens.is_array()) return chances;
  for (const json& one : tokens) {
    if (!one.is_object() || !one.contains("logprob") || !one["logprob"].is_number()) continue;
    chances.push_back({member_text(one, "token"), one["logprob"].get<double>()});
  }
  return chances;
}

// The likeliest first tokens of a choice; none where the server gives no log-probabilities.
std::vector<TokenChance> first_token_of(const json& choice) {
  const json* at = &choice;
  for (const char* name : {"logprobs", "content"}) {
    auto found = at->is_object() ? at->find(name) : at->end();
    if (found == at->end()) return {};
    at = &*found;
  }
  if (!at->is_array() || at->empty() || !at->front().is_object()) return {};
  auto found = at->front().find("top_logprobs");
  return found == at->front().end() ? std::vector<TokenChance>{} : chances_of(*found);
}

// Of /completions with `echo`: the prompt's tokens and those that were added, one log-probability
// each; the first token has none, since nothing comes before it.
std::optional<double> prompt_likelihood_of(const json& choice, uint64_t num_added) {
  auto found = choice.find("logprobs");
  if (found == choice.end() || !found->is_object()) return std::nullopt;
  auto tokens = found->find("token_logprobs");
  if (tokens == found->end() || !tokens->is_array() || tokens->size() <= num_added)
    return std::nullopt;
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i + num_added < tokens->size(); ++i) {
    if (!(*tokens)[i].is_number()) continue;
    sum += (*tokens)[i].get<double>();
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

Error bad_answer(std::string what) {
  return Error{ErrorCode::kInvalidInput, std::move(what), "the endpoint's answer"};
}

}  // namespace

Picture encoded_picture(std::string mime, std::string_view bytes) {
  std::string url = fmt::format("data:{};base64,", mime);
  append_base64(bytes, url);
  return std::make_shared<const EncodedPicture>(
      EncodedPicture{std::move(mime), sha256_hex(bytes), piece(std::move(url))});
}

const char* path_of(const ChatRequest& request) {
  return request.is_read_alone ? "/completions" : "/chat/completions";
}

std::vector<http::Piece> body_of(const ChatRequest& request, const BodyForm& form) {
  std::vector<http::Piece> pieces;
  if (request.is_read_alone) {
    json body = settings_of(request, form);
    body["model"] = request.model;
    body["prompt"] = request.text;
    return {piece(dumped(body))};
  }
  std::string text = fmt::format("{{\"model\":{},\"messages\":[", dumped(request.model));
  if (!request.system.empty())
    text += fmt::format("{{\"role\":\"system\",\"content\":{}}},", dumped(request.system));
  text += R"({"role":"user","content":)";
  if (form.sends_plain_text && request.pictures.empty()) {
    text += dumped(request.text);
  } else {
    const std::string words = fmt::format(R"({{"type":"text","text":{}}})", dumped(request.text));
    text += '[';
    if (form.puts_pictures_last) text += words;
    for (size_t i = 0; i < request.pictures.size(); ++i) {
      if (i > 0 || form.puts_pictures_last) text += ',';
      text += R"({"type":"image_url","image_url":{"url":")";
      pieces.push_back(piece(std::move(text)));
      pieces.push_back(request.pictures[i]->url);
      text = "\"}}";
    }
    if (!form.puts_pictures_last) text += (request.pictures.empty() ? "" : ",") + words;
    text += ']';
  }
  text += "}],";
  text += dumped(settings_of(request, form)).substr(1);  // without its opening brace
  pieces.push_back(piece(std::move(text)));
  return pieces;
}

std::string canonical_json(const nlohmann::json& value) {
  return dumped(value);
}

nlohmann::json key_object(const ChatRequest& request,
                          const std::string& name_space,
                          const BodyForm& form) {
  json content = json::array();
  for (const Picture& picture : request.pictures)
    content.push_back({{"type", "image"}, {"mime", picture->mime}, {"sha256", picture->sha256}});
  content.push_back({{"type", "text"}, {"text", request.text}});
  json messages = json::array();
  if (!request.system.empty())
    messages.push_back({{"role", "system"}, {"content", request.system}});
  messages.push_back({{"role", "user"}, {"content", std::move(content)}});
  const ChatParameters& parameters = request.parameters;
  json key = {{"v", 1},
              {"namespace", name_space},
              {"model", request.model},
              {"messages", std::move(messages)},
              {"params",
               {{"temperature", number(parameters.temperature)},
                {"top_p", number(parameters.top_p)},
                {"max_tokens", parameters.max_tokens},
                {"seed", parameters.seed ? json(*parameters.seed) : json(nullptr)},
                {"stop", parameters.stop},
                {"logprobs", parameters.top_logprobs > 0},
                {"top_logprobs", parameters.top_logprobs},
                {"extra", parameters.extra}}},
              {"sample", request.sample}};
  if (request.is_read_alone) key["is_read_alone"] = true;
  if (json in_force = form_in_force(request, form); !in_force.empty())
    key["form"] = std::move(in_force);
  return key;
}

std::string cache_key(const ChatRequest& request,
                      const std::string& name_space,
                      const BodyForm& form) {
  return sha256_hex(canonical_json(key_object(request, name_space, form)));
}

Result<ChatAnswer> read_answer(std::string_view body) {
  const json answer = formats::parse_json(body);
  if (!answer.is_object()) return bad_answer("is no JSON object");
  auto choices = answer.find("choices");
  if (choices == answer.end() || !choices->is_array() || choices->empty() ||
      !choices->front().is_object())
    return bad_answer("has no choice");
  const json& choice = choices->front();
  uint64_t prompt_tokens = 0;
  uint64_t completion_tokens = 0;
  if (auto usage = answer.find("usage"); usage != answer.end() && usage->is_object()) {
    prompt_tokens = member_count(*usage, "prompt_tokens");
    completion_tokens = member_count(*usage, "completion_tokens");
  }
  if (auto text = choice.find("text"); text != choice.end() && text->is_string())
    return ChatAnswer{.text = text->get<std::string>(),
                      .finish_reason = member_text(choice, "finish_reason"),
                      .model = member_text(answer, "model"),
                      .prompt_tokens = prompt_tokens,
                      .completion_tokens = completion_tokens,
                      .prompt_likelihood =
                          prompt_likelihood_of(choice, std::max<uint64_t>(completion_tokens, 1))};
  auto message = choice.find("message");
  if (message == choice.end() || !message->is_object()) return bad_answer("has no message");
  ChatAnswer read{.text = message->contains("content") ? text_of((*message)["content"]) : "",
                  .finish_reason = member_text(choice, "finish_reason"),
                  .model = member_text(answer, "model"),
                  .refusal = member_text(*message, "refusal"),
                  .reasoning = member_text(*message, "reasoning_content"),
                  .first_token = first_token_of(choice),
                  .prompt_tokens = prompt_tokens,
                  .completion_tokens = completion_tokens};
  if (read.reasoning.empty()) read.reasoning = member_text(*message, "reasoning");
  return read;
}

std::string read_refusal(std::string_view body, std::string_view secret) {
  constexpr size_t kMostBytes = 300;
  const json answer = formats::parse_json(body);
  std::string text;
  if (answer.is_object()) {
    if (auto error = answer.find("error"); error != answer.end())
      text = error->is_object() ? member_text(*error, "message")
                                : (error->is_string() ? error->get<std::string>() : "");
    if (auto detail = answer.find("detail"); text.empty() && detail != answer.end())
      text = detail->is_string() ? detail->get<std::string>() : dumped(*detail);
    if (text.empty()) text = member_text(answer, "message");
  }
  if (text.empty()) text = std::string(body.substr(0, body.find('\n')));
  hide_secret(secret, text);  // before the cut, which could leave half of it
  text.resize(exec::cut_text(text, kMostBytes).size());
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

std::string unknown_field(std::string_view message) {
  constexpr auto kDroppable = std::to_array<std::string_view>(
      {"top_logprobs", "logprobs", "seed", "stop", "temperature", "top_p", "stream", "n"});
  auto is_name_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::string_view name : kDroppable) {
    for (size_t at = message.find(name); at != std::string_view::npos;
         at = message.find(name, at + 1)) {
      const size_t end = at + name.size();
      const bool begins = at == 0 || !is_name_part(message[at - 1]);
      const bool ends = end == message.size() || !is_name_part(message[end]);
      // A short name must be quoted: "n" is in every sentence.
      const bool is_quoted =
          at > 0 && std::string_view("'\"`[").find(message[at - 1]) != std::string_view::npos;
      if (begins && ends && (name.size() > 1 || is_quoted)) return std::string(name);
    }
  }
  return {};
}

std::string answer_to_json(const ChatAnswer& answer) {
  json chances = json::array();
  for (const TokenChance& one : answer.first_token) chances.push_back({one.token, one.logprob});
  json kept = {{"v", 1},
               {"text", answer.text},
               {"finish_reason", answer.finish_reason},
               {"model", answer.model},
               {"refusal", answer.refusal},
               {"reasoning", answer.reasoning},
               {"first_token", std::move(chances)},
               {"prompt_tokens", answer.prompt_tokens},
               {"completion_tokens", answer.completion_tokens}};
  if (answer.prompt_likelihood) kept["prompt_likelihood"] = *answer.prompt_likelihood;
  return dumped(kept);
}

Result<ChatAnswer> answer_of_json(std::string_view text) {
  const json kept = formats::parse_json(text);
  if (!kept.is_object() || !kept.contains("text") || !kept["text"].is_string())
    return bad_answer("the kept answer is damaged");
  ChatAnswer answer{.text = kept["text"].get<std::string>(),
                    .finish_reason = member_text(kept, "finish_reason"),
                    .model = member_text(kept, "model"),
                    .refusal = member_text(kept, "refusal"),
                    .reasoning = member_text(kept, "reasoning"),
                    .prompt_tokens = member_count(kept, "prompt_tokens"),
                    .completion_tokens = member_count(kept, "completion_tokens")};
  if (auto found = kept.find("prompt_likelihood"); found != kept.end() && found->is_number())
    answer.prompt_likelihood = found->get<double>();
  if (auto chances = kept.find("first_token"); chances != kept.end() && chances->is_array()) {
    for (const json& one : *chances) {
      if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_number())
        answer.first_token.push_back({one[0].get<std::string>(), one[1].get<double>()});
    }
  }
  return answer;
}

}  // namespace snellen::models::openai
