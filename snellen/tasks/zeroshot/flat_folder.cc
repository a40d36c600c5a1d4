// SPDX-License-Identifier: Apache-2.0
// ImageNet's validation images as they are published: one folder of all, and a file of their
// classes by number.
#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/tasks/zeroshot/set.h"

namespace snellen::tasks {
namespace {

namespace fs = std::filesystem;

struct FileLine {
  size_t number = 0;  // from 1
  std::vector<std::string> words;
};

// The lines that are not blank, cut at blanks.
std::vector<FileLine> lines_of(const fs::path& path) {
  const std::string text = read_text_file(path);
  std::vector<FileLine> lines;
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    FileLine line{.number = ++number, .words = {}};
    for (size_t word = text.find_first_not_of(" \t\r", at); word < end;) {
      const size_t stop = std::min(text.find_first_of(" \t\r\n", word), end);
      line.words.push_back(text.substr(word, stop - word));
      word = text.find_first_not_of(" \t\r", stop);
    }
    at = end + 1;
    if (!line.words.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

[[noreturn]] void refuse(const fs::path& path,
                         const FileLine& line,
                         std::string what,
                         std::string hint) {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              fmt::format("{}: line {}", path.string(), line.number),
              std::move(hint)};
}

bool is_number(const std::string& word) {
  return word.find_first_not_of("0123456789") == std::string::npos;
}

// Synsets by the number that the ground truth gives them.
std::map<std::string, std::string> read_mapping(const fs::path& path) {
  std::map<std::string, std::string> synsets;
  for (const FileLine& line : lines_of(path)) {
    if (line.words.size() < 2 || !is_number(line.words[0]) || is_number(line.words[1]))
      refuse(path,
             line,
             "is no number and synset",
             "write lines as 1 n02119789, in the numbers of the ground truth");
    if (!synsets.emplace(line.words[0], line.words[1]).second)
      refuse(path, line, "gives a number for the second time", "give each number one line");
  }
  return synsets;
}

// The synset of every image, in the order of the file.
std::vector<std::string> read_ground_truth(const fs::path& path, const fs::path& mapping) {
  const std::map<std::string, std::string> synsets =
      mapping.empty() ? std::map<std::string, std::string>() : read_mapping(mapping);
  std::vector<std::string> right;
  for (const FileLine& line : lines_of(path)) {
    const std::string& word = line.words.back();
    if (!is_number(word)) {
      right.push_back(word);
      continue;
    }
    if (mapping.empty())
      refuse(path,
             line,
             "gives classes by number, which does not follow the order of the synset names",
             "name a file with lines NUMBER SYNSET with --mapping");
    const auto found = synsets.find(word);
    if (found == synsets.end())
      refuse(path,
             line,
             fmt::format("class {} is not in {}", word, mapping.filename().string()),
             "add its synset, or name the mapping that belongs to this file");
    right.push_back(found->second);
  }
  return right;
}

}  // namespace

ZeroshotSet zeroshot_flat(const fs::path& folder,
                          const fs::path& ground_truth,
                          const fs::path& mapping,
                          const fs::path& classes) {
  if (classes.empty())
    throw Error{ErrorCode::kUsage,
                "no class names are given",
                "--classes",
                "a CSV file with lines folder,class: the synset and its name"};
  ZeroshotSet set;
  const std::map<std::string, uint32_t> numbers = read_classes(classes, set);
  std::vector<fs::path> pictures = entries_of(folder, /*wants_folders=*/false);
  const std::vector<std::string> right = read_ground_truth(ground_truth, mapping);
  if (right.size() != pictures.size())
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("has {} lines for {} images", right.size(), pictures.size()),
        ground_truth.string(),
        fmt::format("{} must hold the images of this file and nothing else", folder.string())};
  for (size_t i = 0; i < pictures.size(); ++i) {
    const auto known = numbers.find(right[i]);
    if (known == numbers.end()) {
      set.bad_records.push_back(Error{
          ErrorCode::kInvalidInput,
          fmt::format("its synset {} is no class of {}", right[i], classes.filename().string()),
          pictures[i].string(),
          "add a row for it"});
      continue;
    }
    set.pictures.push_back({std::move(pictures[i]), {known->second}});
  }
  require_pictures(set, folder);
  return set;
}

}  // namespace snellen::tasks
