// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/server_forms.h"

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/formats/json.h"

namespace snellen::models::openai {
namespace {

using nlohmann::json;

constexpr const char* kUsualField = "max_tokens";
constexpr const char* kOtherField = "max_completion_tokens";

// Of what was learned about one model on one path.
std::string key_of(const ChatRequest& request, const std::string& name_space) {
  return sha256_hex(canonical_json(
      {{"namespace", name_space}, {"model", request.model}, {"path", path_of(request)}}));
}

}  // namespace

ServerForms::Form ServerForms::of(const ChatRequest& request) {
  std::lock_guard lock(mutex_);
  return known_of(request).form;
}

// With the mutex held, as all that follow.
ServerForms::Known& ServerForms::known_of(const ChatRequest& request) {
  auto [place, is_new] = known_.try_emplace(request.model + path_of(request));
  if (is_new) {
    place->second.form.body = usual_;
    restore(key_of(request, name_space_), place->second);
  }
  return place->second;
}

// Another run may have learned more meanwhile. What cannot be read is learned again.
void ServerForms::restore(const std::string& key, Known& known) {
  const std::optional<std::string> kept = cache_.find_learned(key);
  const json learned = kept ? formats::parse_json(*kept) : json();
  if (!learned.is_object()) return;
  if (auto refused = learned.find("refused"); refused != learned.end() && refused->is_array()) {
    for (const json& name : *refused) {
      if (name.is_string()) known.refused.insert(name.get<std::string>());
    }
  }
  known.wants_completion_tokens |= learned.value("wants_completion_tokens", json()) == true;
  apply(known);
}

void ServerForms::keep(const std::string& key, const Known& known) const {
  try {
    cache_.keep_learned(
        key,
        canonical_json({{"v", 1},
                        {"refused", known.refused},
                        {"wants_completion_tokens", known.wants_completion_tokens}}));
  } catch (const Error&) {
    // The next run is told by the server again.
  }
}

void ServerForms::apply(Known& known) {
  BodyForm& body = known.form.body;
  for (const std::string& name : known.refused) {
    body.dropped.insert(name);
    const bool goes_with_another = name == "top_logprobs" && known.refused.contains("logprobs");
    if (!goes_with_another)
      notes_.insert(fmt::format("the server does not take '{}', which was left out", name));
  }
  if (known.wants_completion_tokens && body.max_tokens_field == kUsualField) {
    notes_.insert("the server wants max_completion_tokens in the place of max_tokens");
    body.max_tokens_field = kOtherField;
  }
  ++known.form.version;
}

bool ServerForms::learn(const ChatRequest& request,
                        std::string_view message,
                        const BodyForm& sent) {
  std::lock_guard lock(mutex_);
  Known& about = known_of(request);
  const bool wants_other_name = message.find(kOtherField) != std::string_view::npos;
  if (wants_other_name && sent.max_tokens_field == kUsualField) {
    about.wants_completion_tokens = true;
  } else {
    const std::string field = unknown_field(message);
    if (field.empty() || sent.dropped.contains(field)) return false;
    about.refused.insert(field);
    if (field == "logprobs") about.refused.insert("top_logprobs");
  }
  const std::string key = key_of(request, name_space_);
  restore(key, about);
  apply(about);
  keep(key, about);
  return true;
}

std::vector<std::string> ServerForms::notes() const {
  std::lock_guard lock(mutex_);
  return {notes_.begin(), notes_.end()};
}

}  // namespace snellen::models::openai
