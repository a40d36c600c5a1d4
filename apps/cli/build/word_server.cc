// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/word_server.h"

#include <algorithm>
#include <cstdlib>

#include "snellen/base/ascii.h"
#include "snellen/base/error.h"

namespace snellen::cli {
namespace {

constexpr std::string_view kServed = "openai:";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr unsigned kMostTokens = 256;

models::openai::EndpointOptions options_of(const ServerFlags& flags,
                                           const std::filesystem::path& cache) {
  if (flags.base_url.empty())
    throw Error{ErrorCode::kUsage,
                "no server named",
                "--base-url",
                "for example --base-url http://127.0.0.1:8000/v1"};
  models::openai::check_base_url(flags.base_url);
  const char* key = std::getenv(flags.key_variable.c_str());
  models::openai::EndpointOptions options;
  options.base_urls = {flags.base_url};
  options.cache = cache;
  options.key = key ? key : "";
  return options;
}

}  // namespace

bool names_served_model(std::string_view word) {
  return word.starts_with(kServed);
}

WordServer::WordServer(const ServerFlags& flags,
                       std::string_view word,
                       const std::filesystem::path& cache)
    : name_(word.substr(kServed.size())), endpoint_(options_of(flags, cache)) {}

std::string WordServer::ask(const std::string& prompt) {
  models::openai::ChatRequest request{.model = name_, .text = prompt};
  request.parameters.max_tokens = kMostTokens;
  const auto sent = endpoint_.send(request);
  const auto answer = endpoint_.wait(*sent, [] { return false; });
  if (!answer) throw answer.error();
  return answer->chat.text;
}

std::vector<std::string> lines_in(std::string_view answer) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < answer.size();) {
    const size_t end = std::min(answer.find('\n', at), answer.size());
    std::string_view line = answer.substr(at, end - at);
    at = end + 1;
    const size_t begin = line.find_first_of(kLetters);
    if (begin == std::string_view::npos) continue;
    lines.emplace_back(line.substr(begin, line.find_last_not_of(" \t\r\"") + 1 - begin));
  }
  return lines;
}

std::vector<std::string> words_in(std::string_view answer) {
  std::vector<std::string> words;
  for (const std::string& line : lines_in(answer)) {
    const std::string word =
        ascii_lower(std::string_view(line).substr(0, line.find_last_not_of(" \t\r.,;:!") + 1));
    const bool is_plain = word.size() <= 40 && word.find_first_of("\"()[]{}") == std::string::npos;
    if (is_plain && std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(word);
    if (words.size() == kMostServedWords) break;
  }
  return words;
}

}  // namespace snellen::cli
