// SPDX-License-Identifier: Apache-2.0
// The samples.db of a run that somebody killed, or of which only a part was copied: what is there
// can be read all the same.
#pragma once

#include <filesystem>
#include <string>

namespace snellen::store {

class ReadableSamples {
 public:
  // Looks whether the file can be read as it is. Where a write was cut off (a journal is left) or
  // the file ends early, a copy in `folder` is put right; empty: in the system's temporary folder.
  // Throws what opening throws where there is nothing to read.
  ReadableSamples(const std::filesystem::path& samples, const std::filesystem::path& folder);
  ~ReadableSamples();
  ReadableSamples(const ReadableSamples&) = delete;
  ReadableSamples& operator=(const ReadableSamples&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // What was wrong; empty for a file that is as its run left it.
  const std::string& note() const { return note_; }

 private:
  void copy_to(const std::filesystem::path& folder, bool with_journal);

  std::filesystem::path path_;
  bool is_copy_ = false;
  std::string note_;
};

}  // namespace snellen::store
