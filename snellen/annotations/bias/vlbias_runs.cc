// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/bias/vlbias_runs.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include <fmt/format.h>

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;

constexpr size_t kTimeBytes = 16;  // "_20240131-120000"
constexpr size_t kLongestSample = size_t{64} << 20;
constexpr std::string_view kDashes = "------------------------------------------------------------";

// The time of a run of this data set; nothing for other folders.
std::optional<std::string> time_of(const std::string& name, std::string_view dataset) {
  if (name.size() <= kTimeBytes) return std::nullopt;
  const size_t cut = name.size() - kTimeBytes;
  if (name.substr(0, cut) != dataset || name[cut] != '_') return std::nullopt;
  return name.substr(cut + 1);
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->is_directory(failed)) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The fields of a sample in the order of the log.
enum Field : size_t { kId, kInstruction, kImages, kAnswer, kNumFields };
constexpr std::array<std::string_view, kNumFields> kMarks = {
    "ID:\t", "Instruction:\t", "Images:\t", "Answer:\t"};

// Collects lines into the fields of one sample.
class SampleLines {
 public:
  bool has_begun() const { return has_begun_; }

  void add(const std::string& line, const std::string& where) {
    // A mark counts only where its field may begin: an answer may hold the word of another.
    const size_t next = has_begun_ ? field_ + 1 : kId;
    if (next < kNumFields && line.starts_with(kMarks[next])) {
      has_begun_ = true;
      field_ = next;
      texts_[field_] = line.substr(kMarks[field_].size());
      return;
    }
    if (!has_begun_) return;  // what the log says between samples
    (texts_[field_] += '\n') += line;
    if (texts_[field_].size() > kLongestSample)
      throw Error{ErrorCode::kInvalidInput, "has a sample that is longer than is read", where};
  }

  // The sample that the line of dashes ends; an Error where fields are missing.
  Result<ResultRow> take(const std::string& where) {
    const bool is_whole = field_ == kAnswer;
    SampleLines whole = std::exchange(*this, {});
    if (!is_whole) {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("a sample has no '{}'",
                      kMarks[whole.field_ + 1].substr(0, kMarks[whole.field_ + 1].size() - 1)),
          where,
          "give a log.txt of VLBiasBench's runner"};
    }
    Result<std::vector<std::string>> images = python_texts(whole.texts_[kImages]);
    if (!images) return images.error().within(where);
    return ResultRow{.id = whole.texts_[kId],
                     .instruction = whole.texts_[kInstruction],
                     .in_images = std::move(images).value(),
                     .answer = whole.texts_[kAnswer]};
  }

 private:
  bool has_begun_ = false;
  size_t field_ = kId;
  std::array<std::string, kNumFields> texts_ = {};
};

}  // namespace

std::vector<VlbiasRun> vlbias_runs(const fs::path& outputs,
                                   std::string_view dataset,
                                   std::string_view after) {
  std::error_code ignored;
  if (!fs::is_directory(outputs, ignored))
    throw Error{ErrorCode::kNotFound,
                "is no folder",
                outputs.string(),
                "name the folder outputs of VLBiasBench's runner"};
  std::vector<VlbiasRun> runs;
  for (const fs::path& model : folders_in(outputs)) {
    std::optional<VlbiasRun> chosen;
    for (const fs::path& run : folders_in(model)) {
      const std::optional<std::string> time = time_of(run.filename().string(), dataset);
      if (!time || (!after.empty() && *time <= after)) continue;
      const bool is_better =
          !chosen || (after.empty() ? *time > chosen->time : *time < chosen->time);
      if (is_better) chosen = VlbiasRun{model.filename().string(), *time, run};
    }
    if (chosen) runs.push_back(std::move(*chosen));
  }
  return runs;
}

LogReading read_vlbias_log(const fs::path& log,
                           const std::function<void(const ResultRow&)>& visit) {
  std::ifstream file(log, std::ios::binary);
  if (!file) throw Error{ErrorCode::kNotFound, "cannot be opened", log.string(), "name a log.txt"};
  LogReading reading;
  SampleLines sample;
  std::string line;
  for (uint64_t number = 1; std::getline(file, line); ++number) {
    const std::string where = fmt::format("{}: line {}", log.string(), number);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line == kDashes) {
      if (!sample.has_begun()) continue;
      Result<ResultRow> row = sample.take(where);
      if (!row) throw row.error();
      ++reading.num_samples;
      visit(*row);
    } else {
      sample.add(line, where);
    }
  }
  if (file.bad()) throw Error{ErrorCode::kIo, "cannot be read to its end", log.string()};
  if (sample.has_begun()) ++reading.num_cut;
  return reading;
}

Result<std::vector<std::string>> python_texts(std::string_view text) {
  const Error bad{ErrorCode::kInvalidInput,
                  fmt::format("'{}' is no list of texts", text.substr(0, 80))};
  auto skip_blanks = [&] {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  };
  auto take = [&](char wanted) {
    skip_blanks();
    if (text.empty() || text.front() != wanted) return false;
    text.remove_prefix(1);
    return true;
  };
  std::vector<std::string> texts;
  if (!take('[')) return bad;
  while (!take(']')) {
    if (!texts.empty() && !take(',')) return bad;
    skip_blanks();
    if (text.empty() || (text.front() != '\'' && text.front() != '"')) return bad;
    const char quote = text.front();
    text.remove_prefix(1);
    std::string& one = texts.emplace_back();
    while (!text.empty() && text.front() != quote) {
      if (text.front() == '\\' && text.size() > 1) {
        text.remove_prefix(1);
        const char c = text.front();
        one += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      } else {
        one += text.front();
      }
      text.remove_prefix(1);
    }
    if (text.empty()) return bad;
    text.remove_prefix(1);
  }
  skip_blanks();
  if (!text.empty()) return bad;
  return texts;
}

}  // namespace snellen::annotations
