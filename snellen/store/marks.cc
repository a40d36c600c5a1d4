// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/marks.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/descriptor.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestText = 4000;
constexpr size_t kLongestLine = 64 * 1024;
constexpr size_t kMostMarks = 1'000'000;

std::string text_at(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string version_of(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return "none";
  return fmt::format("{} {}.{}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

// Whether the last line of the file is whole; that of a killed process, or of a full disk, may not
// be.
bool ends_with_line(int descriptor) {
  struct stat facts {};
  char last = 0;
  if (::fstat(descriptor, &facts) != 0 || facts.st_size == 0) return true;
  return ::pread(descriptor, &last, 1, facts.st_size - 1) != 1 || last == '\n';
}

}  // namespace

nlohmann::ordered_json mark_to_json(const Mark& mark) {
  return {{"task", mark.task},
          {"item", mark.item},
          {"label", mark.label},
          {"note", mark.note},
          {"annotation_is_wrong", mark.is_wrong}};
}

fs::path marks_file(const fs::path& run_folder) {
  fs::path whole = fs::absolute(run_folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.parent_path() / (whole.filename().string() + ".marks.jsonl");
}

MarkedItems::MarkedItems(std::span<const fs::path> files) {
  for (const fs::path& file : files) {
    if (!fs::is_regular_file(file))
      throw Error{ErrorCode::kNotFound,
                  "no such file",
                  file.string(),
                  "give the RUN.marks.jsonl that snellen view keeps beside a run folder"};
    const auto marks = Marks(file).all();
    if (marks.empty())
      throw Error{ErrorCode::kInvalidInput,
                  "holds no mark",
                  file.string(),
                  "give the RUN.marks.jsonl that snellen view keeps beside a run folder"};
    for (const auto& [key, mark] : marks) items_.insert(key);
  }
}

Marks::Marks(fs::path file) : file_(std::move(file)) {}

void Marks::read() {
  const std::string version = version_of(file_);
  if (version == version_) return;
  marks_.clear();
  version_.clear();
  const std::optional<FileBytes> file =
      version == "none" ? std::nullopt : std::optional<FileBytes>(file_);
  // A line that is no mark, as the last of a killed process, is passed over.
  for (std::string_view rest = file ? file->bytes() : ""; !rest.empty();) {
    if (marks_.size() == kMostMarks) break;
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.size() > kLongestLine) continue;
    const nlohmann::json read = formats::parse_json(line);
    if (!read.is_object()) continue;
    Mark mark{.task = text_at(read, "task"),
              .item = text_at(read, "item"),
              .label = text_at(read, "label"),
              .note = text_at(read, "note"),
              .is_wrong = read.contains("annotation_is_wrong") &&
                          read["annotation_is_wrong"].is_boolean() &&
                          read["annotation_is_wrong"].get<bool>()};
    auto key = std::pair(mark.task, mark.item);
    if (mark.is_empty()) {
      marks_.erase(key);
    } else {
      marks_.insert_or_assign(std::move(key), std::move(mark));
    }
  }
  version_ = version;
}

std::map<std::pair<std::string, std::string>, Mark> Marks::all() {
  std::lock_guard lock(mutex_);
  read();
  return marks_;
}

std::optional<Mark> Marks::find(const std::string& task, const std::string& item) {
  std::lock_guard lock(mutex_);
  read();
  const auto found = marks_.find({task, item});
  return found == marks_.end() ? std::nullopt : std::optional(found->second);
}

void Marks::set(const Mark& mark) {
  if (mark.label.size() > kLongestText || mark.note.size() > kLongestText)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("a label or note is longer than {} bytes", kLongestText),
                file_.string(),
                "shorten it"};
  std::lock_guard lock(mutex_);
  std::string line =
      mark_to_json(mark).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (line.size() > kLongestLine)
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the mark is longer than {} bytes", kLongestLine),
                file_.string(),
                "shorten it"};
  const Descriptor out(::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (out.is_open()) {
    line = (ends_with_line(out.get()) ? "" : "\n") + line + "\n";
    errno = ENOSPC;  // what a write of some bytes only means
  }
  // In one piece: others may append too.
  const bool is_kept =
      out.is_open() &&
      ::write(out.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(out.get()) == 0;
  if (!is_kept)
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be written: {}", std::strerror(errno)),
                file_.string(),
                "marks lie beside the run folder: make that folder writable, or copy the run"};
  read();
}

}  // namespace snellen::store
