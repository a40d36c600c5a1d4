// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/models/model.h"
#include "snellen/models/openai/endpoint.h"
#include "snellen/models/openai/pictures.h"

namespace snellen::models::openai {

// --answer-mode: an answer is the likeliest of the question's letters.
inline constexpr const char* kLetterLogprob = "letter-logprob";

// The flags of --model openai:NAME.
struct Settings {
  std::vector<std::string> base_urls;
  std::string key_variable = "OPENAI_API_KEY";
  std::filesystem::path key_file;
  unsigned concurrency = 4;
  double requests_per_minute = 0;
  double tokens_per_minute = 0;
  unsigned retries = 6;
  double timeout_s = 120;
  double connect_timeout_s = 10;
  std::string max_errors;
  bool is_insecure = false;
  std::string cache_namespace;
  std::string log_level = "info";

  std::string yes_template = "Does this figure show \"{}\"? Please answer yes or no.";
  std::string letter_question = "Which of these texts describes the figure?";
  std::string answer_mode = "text";  // or kLetterLogprob
  std::string system;
  double temperature = 0;
  double top_p = 1;
  std::optional<unsigned> max_tokens;
  std::vector<std::string> stop;
  std::string extra;
  std::string max_tokens_field = "max_tokens";
  std::vector<std::string> dropped_fields;
  bool puts_pictures_last = false;
  bool sends_plain_text = false;

  int64_t frames_per_clip = 8;
  std::string image_format = "png";
  int jpeg_quality = 95;
  media::ChromaSubsampling jpeg_subsampling = media::ChromaSubsampling::k420;
  int max_side = 0;
  std::string resize_stage = "before";  // or "after": what controls do to pictures
  double max_request_mb = 20;
  std::optional<double> prompt_price;  // per million tokens
  std::optional<double> answer_price;
};

config::Block settings_block();

// Those that decide what is answered, for the stamp.
std::vector<Model::Identity> identity_of(const Settings& settings);

// All but the cache and the debug line. Throws kUsage for settings that do not fit, kNotFound for a
// file of a key that cannot be read.
EndpointOptions endpoint_options(const Settings& settings, const ModelRequest& request);
PictureOptions picture_options(const Settings& settings, bool is_compat);
// What every request is sent with; the number of tokens is left to the caller.
ChatParameters chat_parameters(const Settings& settings, uint64_t seed);

// "5" or "5%"; throws kUsage.
ErrorLimit error_limit_of(const std::string& text);

}  // namespace snellen::models::openai
