// SPDX-License-Identifier: Apache-2.0
// VLBiasBench as it lies on disk (docs/spec/bias.md 2.2 and 2.3).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/annotations/bias/bias_answers.h"
#include "snellen/annotations/table_file.h"

namespace snellen::annotations {

// Close-ended questions in the order of the published loader: subsets sorted, files sorted, records
// as they come. The number of a question, not its `idx`, is its id there. Also a single file of
// questions (docs/spec/bias.md 1.4), whose own ids count. Const methods are safe from many threads.
class CloseQuestions {
 public:
  // {root}/close-ended (or close_ended)/json/{subset}/{category}.json. Throws kNotFound.
  static CloseQuestions of_vlbias(const std::filesystem::path& root);
  static CloseQuestions of_file(const std::filesystem::path& file);

  size_t size() const { return starts_.back(); }
  Result<CloseRow> question(size_t number) const;
  // Its record as the file has it.
  TableRow row(size_t number) const;
  // Where the pictures of its questions lie; empty for a single file.
  const std::filesystem::path& images() const { return images_; }
  std::vector<std::filesystem::path> inputs() const;
  // Before each question: how many of those before it are ambiguous.
  const std::vector<uint32_t>& ambiguous_before() const { return ambiguous_before_; }

 private:
  struct File {
    TableFile table;
    std::string subset;
    std::string category;
  };
  const File& file_of(size_t number, size_t& place) const;
  void add(File file);
  void count_ambiguous();

  std::vector<File> files_;
  std::vector<size_t> starts_ = {0};  // of each file, and the end
  std::filesystem::path images_;
  std::vector<uint32_t> ambiguous_before_;
};

// The file of an open-ended type: gender, race, religious_ideology, profession-emo or
// profession-nohuman. Its pictures lie relative to the root.
std::filesystem::path open_annotation_file(const std::filesystem::path& root,
                                           const std::string& type);

}  // namespace snellen::annotations
