// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/tabular.h"

#include <array>

#include <fmt/format.h>

#include "snellen/formats/csv.h"

namespace snellen::annotations {
namespace {

constexpr int kDeepest = 256;

bool is_space(int c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

// Bytes of the stream, counted in lines.
class TableReader::Source {
 public:
  static constexpr int kEnd = -1;

  explicit Source(std::istream& in) : in_(in) {}

  int peek() {
    if (at_ == filled_ && !fill()) return kEnd;
    return static_cast<unsigned char>(buffer_[at_]);
  }
  int get() {
    int c = peek();
    if (c == kEnd) return kEnd;
    ++at_;
    if (c == '\n') ++line_;
    return c;
  }
  void skip_space() {
    while (is_space(peek())) get();
  }
  void skip_byte_order_mark() {
    if (peek() == kEnd || filled_ < 3) return;
    if (std::string_view(buffer_.data(), 3) == "\xEF\xBB\xBF") at_ = 3;
  }
  uint64_t line() const { return line_; }
  bool is_broken() const { return in_.bad(); }

 private:
  bool fill() {
    in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    filled_ = static_cast<size_t>(in_.gcount());
    at_ = 0;
    return filled_ > 0;
  }

  std::istream& in_;
  std::array<char, 1 << 16> buffer_;
  size_t at_ = 0;
  size_t filled_ = 0;
  uint64_t line_ = 1;
};

TableReader::TableReader(const std::string& path, TableOptions options)
    : name_(path), options_(options), file_(path, std::ios::binary) {
  if (!file_)
    throw Error{
        ErrorCode::kNotFound, "cannot be opened", path, "check the path and its permissions"};
  source_ = std::make_unique<Source>(file_);
  detect_format();
}

TableReader::TableReader(std::istream& in, std::string name, TableOptions options)
    : name_(std::move(name)), options_(options), source_(std::make_unique<Source>(in)) {
  detect_format();
}

TableReader::~TableReader() = default;

TableFormat TableReader::format() const {
  return options_.format;
}

void TableReader::fail(std::string what, uint64_t line) const {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              fmt::format("{}: line {}", name_, line),
              "give a JSON array, JSON lines, or CSV with a header row"};
}

void TableReader::detect_format() {
  source_->skip_byte_order_mark();
  source_->skip_space();
  int first = source_->peek();
  if (source_->is_broken()) throw Error{ErrorCode::kIo, "cannot be read", name_};
  if (options_.format == TableFormat::kAuto) {
    options_.format = first == '['   ? TableFormat::kJsonArray
                      : first == '{' ? TableFormat::kJsonLines
                                     : TableFormat::kCsv;
  }
  if (options_.format == TableFormat::kJsonArray) {
    if (source_->get() != '[') fail("expected [, the start of an array", source_->line());
  } else if (options_.format == TableFormat::kCsv && first != Source::kEnd) {
    const uint64_t line = read_csv_record('\0').value_or(1);
    header_ = read_csv_header(text_, fmt::format("{}: line {}", name_, line));
  }
}

bool TableReader::next(TableRow& row) {
  if (is_done_) return false;
  row.fields_.clear();
  row.error_.reset();
  row.is_csv_ = options_.format == TableFormat::kCsv;
  row.entry_ = num_entries_;
  bool has_row = options_.format == TableFormat::kJsonArray   ? next_in_array(row)
                 : options_.format == TableFormat::kJsonLines ? next_line(row)
                                                              : next_csv(row);
  if (source_->is_broken()) throw Error{ErrorCode::kIo, "cannot be read to its end", name_};
  is_done_ = !has_row;
  if (has_row) ++num_entries_;
  return has_row;
}

bool TableReader::next_in_array(TableRow& row) {
  source_->skip_space();
  int c = source_->peek();
  if (num_entries_ > 0 && c == ',') {
    source_->get();
    source_->skip_space();
    c = source_->peek();
    if (c == ']')
      fail(fmt::format("expected another entry after the comma that follows entry {}",
                       num_entries_ - 1),
           source_->line());
  } else if (num_entries_ > 0 && c != ']' && c != Source::kEnd) {
    fail(fmt::format("expected a comma after entry {}", num_entries_ - 1), source_->line());
  }
  if (c == ']') {
    source_->get();
    source_->skip_space();
    if (source_->peek() != Source::kEnd)
      fail("more text after the end of the array", source_->line());
    return false;
  }
  row.where_ = fmt::format("{}: entry {} (line {})", name_, num_entries_, source_->line());
  read_element();
  row.read_json(text_);
  return true;
}

// The bytes of one element, up to the comma or bracket behind it.
void TableReader::read_element() {
  std::string& text = text_;
  const uint64_t line = source_->line();
  text.clear();
  int depth = 0;
  bool is_in_string = false;
  while (true) {
    int c = source_->peek();
    if (c == Source::kEnd) fail(fmt::format("the file ends inside entry {}", num_entries_), line);
    if (!is_in_string && depth == 0 && (c == ',' || c == ']')) return;
    text.push_back(static_cast<char>(source_->get()));
    if (text.size() > options_.max_record_bytes) {
      fail(fmt::format("entry {} has more than {} bytes", num_entries_, options_.max_record_bytes),
           line);
    }
    if (is_in_string) {
      if (c == '\\' && source_->peek() != Source::kEnd) {
        text.push_back(static_cast<char>(source_->get()));
      } else if (c == '"') {
        is_in_string = false;
      }
    } else if (c == '"') {
      is_in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest) fail(fmt::format("nested more than {} deep", kDeepest), line);
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return;
    }
  }
}

bool TableReader::next_line(TableRow& row) {
  std::string& text = text_;
  while (true) {
    text.clear();
    const uint64_t line = source_->line();
    int c = source_->get();
    for (; c != '\n' && c != Source::kEnd; c = source_->get()) {
      if (text.size() >= options_.max_record_bytes) {
        fail(fmt::format("line has more than {} bytes", options_.max_record_bytes), line);
      }
      text.push_back(static_cast<char>(c));
    }
    while (!text.empty() && is_space(text.back())) text.pop_back();
    if (text.empty()) {
      if (c == Source::kEnd) return false;
      continue;
    }
    row.where_ = fmt::format("{}: line {}", name_, line);
    row.read_json(text);
    return true;
  }
}

// One record, over several lines when quotes hold line ends.
std::optional<uint64_t> TableReader::read_csv_record(char delimiter) {
  while (true) {
    text_.clear();
    const uint64_t line = source_->line();
    formats::CsvScanner scanner(delimiter);
    for (bool is_end = false; !is_end;) {
      const int c = source_->get();
      if (c == Source::kEnd) break;
      text_.push_back(static_cast<char>(c));
      if (text_.size() > options_.max_record_bytes)
        fail(fmt::format("record has more than {} bytes", options_.max_record_bytes), line);
      is_end = scanner.ends_record(static_cast<char>(c));
    }
    if (scanner.is_quoted()) fail("a quote never closes", line);
    if (text_.empty()) return std::nullopt;
    if (!formats::is_blank_csv(text_)) return line;
  }
}

bool TableReader::next_csv(TableRow& row) {
  if (header_.columns.empty()) return false;
  const std::optional<uint64_t> line = read_csv_record(header_.delimiter);
  if (!line) return false;
  row.where_ = fmt::format("{}: line {}", name_, *line);
  row.read_csv(text_, header_);
  return true;
}

}  // namespace snellen::annotations
