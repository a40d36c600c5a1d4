// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/bias/vlbias.h"

#include <algorithm>

#include <fmt/format.h>

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    paths.push_back(entry->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

CloseQuestions CloseQuestions::of_vlbias(const fs::path& root) {
  for (const char* name : {"close-ended", "close_ended"}) {
    if (!fs::is_directory(root / name / "json")) continue;
    CloseQuestions questions;
    questions.images_ = root / name / "images";
    for (const fs::path& subset : sorted_entries(root / name / "json")) {
      for (const fs::path& file : sorted_entries(subset)) {
        if (file.extension() == ".json")
          questions.add({TableFile(file), subset.filename().string(), file.stem().string()});
      }
    }
    if (questions.size() > 0) {
      questions.count_ambiguous();
      return questions;
    }
  }
  throw Error{ErrorCode::kNotFound,
              "holds no close-ended questions of VLBiasBench",
              root.string(),
              "name the folder that holds close-ended/json/base/Age.json and the others"};
}

CloseQuestions CloseQuestions::of_file(const fs::path& file) {
  CloseQuestions questions;
  questions.add({TableFile(file), {}, {}});
  questions.count_ambiguous();
  return questions;
}

void CloseQuestions::add(File file) {
  starts_.push_back(starts_.back() + file.table.size());
  files_.push_back(std::move(file));
}

const CloseQuestions::File& CloseQuestions::file_of(size_t number, size_t& place) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), number);
  const auto which = static_cast<size_t>(after - starts_.begin()) - 1;
  place = number - starts_[which];
  return files_.at(which);
}

TableRow CloseQuestions::row(size_t number) const {
  size_t place = 0;
  return file_of(number, place).table.row(place);
}

Result<CloseRow> CloseQuestions::question(size_t number) const {
  size_t place = 0;
  const File& file = file_of(number, place);
  TableRow row = file.table.row(place);
  Result<CloseRow> read = read_close_row(row);
  if (!read || file.subset.empty()) return read;
  CloseRow question = std::move(read).value();
  question.id = fmt::format("{}", number);
  question.subset = file.subset;
  question.category = file.category;
  return question;
}

std::vector<fs::path> CloseQuestions::inputs() const {
  std::vector<fs::path> paths;
  for (const File& file : files_) paths.push_back(file.table.path());
  return paths;
}

void CloseQuestions::count_ambiguous() {
  uint32_t count = 0;
  ambiguous_before_.reserve(size());
  for (size_t number = 0; number < size(); ++number) {
    ambiguous_before_.push_back(count);
    Result<CloseRow> read = question(number);
    if (read && read->condition == "ambig") ++count;
  }
}

fs::path open_annotation_file(const fs::path& root, const std::string& type) {
  constexpr std::string_view kProfession = "profession-";
  const fs::path folder = root / "open_ended";
  if (type.starts_with(kProfession))
    return folder / "profession" /
           fmt::format("annotation_{}.json", type.substr(kProfession.size()));
  return folder / type / "annotation.json";
}

}  // namespace snellen::annotations
