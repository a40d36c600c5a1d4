// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/models/openai/endpoint.h"

namespace snellen::cli {

struct ServerFlags {
  std::string base_url;
  std::string key_variable = "OPENAI_API_KEY";
};

// Whether a model flag names a served model: "openai:NAME".
bool names_served_model(std::string_view word);

// A served model that builders ask for words, sentences and labels. Safe from many threads.
class WordServer {
 public:
  // `word` is "openai:NAME". Answers are kept in `cache`: a build that was stopped does not ask for
  // them again. Throws kUsage where no server is named.
  WordServer(const ServerFlags& flags, std::string_view word, const std::filesystem::path& cache);

  const std::string& name() const { return name_; }
  // Throws what the server's failure is.
  std::string ask(const std::string& prompt);

 private:
  std::string name_;
  models::openai::Endpoint endpoint_;
};

// The lines of an answer without numbers, marks and what encloses them; those without a letter are
// left out.
std::vector<std::string> lines_in(std::string_view answer);
// Those that are one word or a short phrase, in lower case, each once.
inline constexpr size_t kMostServedWords = 16;
std::vector<std::string> words_in(std::string_view answer);

}  // namespace snellen::cli
