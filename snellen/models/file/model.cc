// SPDX-License-Identifier: Apache-2.0
// Scores made elsewhere, read from JSON lines (docs/spec/probe.md 2.8). The file is mapped and
// indexed by item: memory is 16 bytes per line, and a line is parsed again only when its item is
// asked for.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/formats/byte_order_mark.h"
#include "snellen/models/model.h"

namespace snellen::models {
namespace {

class FileModel : public Model {
 public:
  explicit FileModel(const ModelRequest& request)
      : file_(request.argument), read_line_(request.read_line), sha256_(sha256_hex(file_.bytes())) {
    index_lines(request.on_item);
  }

  std::vector<Identity> identity() const override { return {{"scores", sha256_}}; }
  bool has_fixed_answers() const override { return true; }

  Result<questions::Scores> score(const Ask& ask) const override {
    uint64_t hash = fnv1a64(ask.item);
    auto at =
        std::lower_bound(lines_.begin(), lines_.end(), hash, [](const Line& line, uint64_t h) {
          return line.hash < h;
        });
    for (; at != lines_.end() && at->hash == hash; ++at) {
      Result<FileScores> read = read_line_(text_at(at->begin));
      if (!read) return read.error().within(where(at->begin));
      if (read->item != ask.item) continue;
      if (!read->scores) return read->scores.error().within(where(at->begin));
      return questions::Scores{.values = *read->scores};
    }
    return Error{ErrorCode::kNotFound,
                 "the score file has no line for it",
                 fmt::format("group {}", ask.item),
                 "add its scores; the other groups are not affected"};
  }

 private:
  struct Line {
    uint64_t hash;  // of the item's id
    uint64_t begin;
  };

  std::string_view text_at(uint64_t begin) const {
    std::string_view rest = file_.bytes().substr(begin);
    return rest.substr(0, rest.find('\n'));
  }

  // Line numbers are only needed in messages, so they are counted then, from the last mark.
  std::string where(uint64_t begin) const {
    const auto mark = std::upper_bound(marks_.begin(), marks_.end(), begin) - 1;
    std::string_view before = file_.bytes().substr(*mark, begin - *mark);
    const auto line = (mark - marks_.begin()) * kLinesPerMark + 1 +
                      std::count(before.begin(), before.end(), '\n');
    return fmt::format("{}: line {}", file_.path().string(), line);
  }

  // A line whose group cannot be known makes the file unusable; a line whose scores are wrong fails
  // its group only, when it is asked for.
  void index_lines(const std::function<void(std::string_view item)>& on_item) {
    uint64_t begin = formats::byte_order_mark(file_.bytes());
    for (ptrdiff_t number = 0; begin < file_.bytes().size(); ++number) {
      if (number % kLinesPerMark == 0) marks_.push_back(begin);
      std::string_view line = text_at(begin);
      if (line.find_first_not_of(" \t\r") != std::string_view::npos)
        lines_.push_back({fnv1a64(told_item(line, begin, on_item)), begin});
      begin += line.size() + 1;
    }
    std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.begin < b.begin;
    });
    for (size_t i = 1; i < lines_.size(); ++i) {
      if (lines_[i].hash != lines_[i - 1].hash) continue;
      std::string item = item_of(text_at(lines_[i].begin), lines_[i].begin);
      if (item != item_of(text_at(lines_[i - 1].begin), lines_[i - 1].begin)) continue;
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format("group {} is listed twice, first at {}", item, where(lines_[i - 1].begin)),
          where(lines_[i].begin),
          "keep one line per group"};
    }
  }

  std::string told_item(std::string_view line,
                        uint64_t begin,
                        const std::function<void(std::string_view item)>& on_item) const {
    std::string item = item_of(line, begin);
    if (on_item) on_item(item);
    return item;
  }

  std::string item_of(std::string_view line, uint64_t begin) const {
    Result<FileScores> read = read_line_(line);
    if (read) return read->item;
    const Error& bad = read.error();
    throw Error{bad.code(), bad.message(), bad.where(), "fix the line, then run the command again"}
        .within(where(begin));
  }

  MappedFile file_;
  LineReader read_line_;
  std::string sha256_;
  std::vector<Line> lines_;
  static constexpr ptrdiff_t kLinesPerMark = 1024;
  std::vector<uint64_t> marks_;  // where lines 0, 1024, 2048, ... begin
};

class FileEntry : public ModelEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }

  std::unique_ptr<Model> open(const ModelRequest& request) const override {
    if (request.argument.empty()) {
      throw Error{ErrorCode::kUsage,
                  "no score file named",
                  "--model file",
                  "for example --model file:scores.jsonl"};
    }
    return std::make_unique<FileModel>(request);
  }

 private:
  ModelFacts facts_ = {.name = "file",
                       .summary = "scores made elsewhere, one JSON line per group",
                       .usage = "--model file:scores.jsonl"};
};

}  // namespace

std::unique_ptr<ModelEntry> make_file();
std::unique_ptr<ModelEntry> make_file() {
  return std::make_unique<FileEntry>();
}

}  // namespace snellen::models
