// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "snellen/base/descriptor.h"

namespace snellen::models::openai {

// Answers kept between runs, one small file per key (64 hex digits): FOLDER/ab/abcd....json.
// Several processes share it; each key is asked for by one of them at a time. Safe from many
// threads.
class ResponseCache {
 public:
  // Makes the folder; throws kNotFound where it cannot.
  explicit ResponseCache(std::filesystem::path folder);

  std::optional<std::string> find(const std::string& key) const;
  // The file appears whole or not at all; it is not forced to the disk. Throws kIo.
  void keep(const std::string& key, std::string_view json) const;

  // What was learned about a server, in FOLDER/servers.
  std::optional<std::string> find_learned(const std::string& key) const;
  void keep_learned(const std::string& key, std::string_view json) const;

  // Whether this process may ask now; false while another does. The system takes the claim back
  // when the process ends, however it does. Within one process the caller keeps keys apart.
  bool claim(const std::string& key) const;
  void release(const std::string& key) const;

 private:
  std::filesystem::path path_of(const std::string& key) const;
  std::filesystem::path learned_path_of(const std::string& key) const;

  std::filesystem::path folder_;
  Descriptor claims_;
};

// Of a whole folder.
struct KeptAnswers {
  uint64_t count = 0;
  uint64_t num_bytes = 0;
};
KeptAnswers kept_answers(const std::filesystem::path& folder);
// Removes them and what was learned about servers, and nothing else that may lie there; gives what
// is gone of the answers.
KeptAnswers clear_answers(const std::filesystem::path& folder);

}  // namespace snellen::models::openai
