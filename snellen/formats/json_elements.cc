// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/json_elements.h"

#include <cstring>

#include <fmt/format.h>
#include <simdjson.h>

#include "snellen/base/error.h"
#include "snellen/formats/byte_order_mark.h"

namespace snellen::formats {
namespace {

constexpr uint64_t kReadBetweenReleases = uint64_t{128} << 20;
// Deeper nesting than any published file has; a file of nothing but brackets is refused here, at
// once.
constexpr int kDeepest = 256;
constexpr uint64_t kLongestKey = 1 << 20;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

// Moves over the text of a file, byte by byte.
class JsonElements::Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), at_(byte_order_mark(text)) {}

  uint64_t at() const { return at_; }
  bool is_at_end() const { return at_ >= text_.size(); }
  char peek() const { return is_at_end() ? '\0' : text_[at_]; }
  void step() { ++at_; }
  // Over an opening bracket.
  void open() {
    step();
    skip_space();
  }
  // True before the closing bracket; false at the end of the text, which is an error to whoever
  // wants more.
  bool is_closing(char bracket) const { return peek() == bracket; }
  void skip_space() {
    while (!is_at_end() && is_space(text_[at_])) ++at_;
  }
  // From an opening quote to just after the closing one; false when the text ends first.
  bool skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
      skip_plain_words();
      if (is_at_end()) return false;
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return true;
      }
    }
    return false;
  }

  enum class Skipped { kWhole, kEnded, kTooDeep, kEmpty };
  // One value: a balanced run of brackets, a string, or a bare token.
  Skipped skip_value() {
    uint64_t start = at_;
    int depth = 0;
    while (!is_at_end()) {
      char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return Skipped::kEnded;
        if (depth == 0) return Skipped::kWhole;
        continue;
      }
      if (c == '[' || c == '{') {
        if (++depth > kDeepest) return Skipped::kTooDeep;
      } else if (c == ']' || c == '}') {
        if (depth == 0) return at_ == start ? Skipped::kEmpty : Skipped::kWhole;
        ++at_;
        if (--depth == 0) return Skipped::kWhole;
        continue;
      } else if (depth == 0 && (c == ',' || is_space(c))) {
        return at_ == start ? Skipped::kEmpty : Skipped::kWhole;
      }
      ++at_;
    }
    return Skipped::kEnded;
  }

 private:
  // Over bytes of a string that are neither a quote nor a backslash, eight at a time.
  void skip_plain_words() {
    constexpr uint64_t kOnes = 0x0101010101010101U;
    auto has = [](uint64_t word, char wanted) {
      word ^= kOnes * static_cast<uint8_t>(wanted);
      return ((word - kOnes) & ~word & (kOnes << 7)) != 0;  // a byte of zero
    };
    uint64_t word = 0;
    for (; at_ + sizeof(word) <= text_.size(); at_ += sizeof(word)) {
      std::memcpy(&word, text_.data() + at_, sizeof(word));
      if (has(word, '"') || has(word, '\\')) return;
    }
  }

  std::string_view text_;
  uint64_t at_ = 0;
};

JsonElements::JsonElements(std::filesystem::path path) : file_(std::move(path)) {
  split({});
}

JsonElements::JsonElements(std::filesystem::path path, std::string_view key)
    : file_(std::move(path)) {
  split(key);
}

void JsonElements::fail(uint64_t at, std::string_view what) const {
  throw Error{
      ErrorCode::kInvalidInput,
      fmt::format("not valid JSON at byte {}, after record {}: {}", at, begins_.size(), what),
      path().string(),
      "check that the file was downloaded whole"};
}

void JsonElements::keep_key(uint64_t begin, uint64_t end) {
  std::string_view raw = file_.bytes().substr(begin, end - begin);
  if (raw.size() > kLongestKey) fail(begin, "a key of more than a million bytes");
  keys_.push_back({begin, static_cast<uint32_t>(raw.size())});
  if (raw.find('\\') == std::string_view::npos) return;
  simdjson::dom::parser parser;
  std::string_view plain;
  if (parser.parse(fmt::format("\"{}\"", raw)).get(plain) != simdjson::SUCCESS)
    fail(begin, "a key that is not a string");
  escaped_keys_[keys_.size() - 1] = std::string(plain);
}

void JsonElements::split(std::string_view wanted_key) {
  Scanner scan(file_.bytes());
  scan.skip_space();
  char open = scan.peek();
  if (open != '[' && open != '{')
    fail(scan.at(), scan.is_at_end() ? "the file is empty" : "expected [ or {");
  if (wanted_key.empty()) {
    split_values(scan);
  } else {
    split_under(scan, wanted_key);
  }
  scan.skip_space();
  if (!scan.is_at_end()) fail(scan.at(), "more text after the end");
}

// From an opening bracket to just after the closing one.
void JsonElements::split_values(Scanner& scan) {
  is_object_ = scan.peek() == '{';
  for (scan.open(); !scan.is_closing(is_object_ ? '}' : ']'); scan.skip_space()) {
    if (!begins_.empty()) skip_comma(scan);
    if (is_object_) {
      uint64_t begin = 0;
      uint64_t end = 0;
      read_key(scan, begin, end);
      keep_key(begin, end);
    }
    uint64_t begin_of_value = scan.at();
    skip_value(scan);
    begins_.push_back(begin_of_value);
    end_ = scan.at();
    count_read(end_ - begin_of_value);
  }
  scan.step();
}

// An object, of which only one value is kept, in its elements.
void JsonElements::split_under(Scanner& scan, std::string_view wanted_key) {
  if (scan.peek() != '{') fail(scan.at(), "expected an object");
  const size_t slash = wanted_key.find('/');
  const std::string_view own_key = wanted_key.substr(0, slash);
  bool is_found = false;
  bool is_first = true;
  for (scan.open(); !scan.is_closing('}'); scan.skip_space()) {
    if (!is_first) skip_comma(scan);
    is_first = false;
    uint64_t begin = 0;
    uint64_t end = 0;
    read_key(scan, begin, end);
    bool is_wanted = !is_found && file_.bytes().substr(begin, end - begin) == own_key;
    if (!is_wanted) {
      skip_value(scan);
      continue;
    }
    is_found = true;
    if (slash != std::string_view::npos) {
      split_under(scan, wanted_key.substr(slash + 1));
      continue;
    }
    if (scan.peek() != '[') fail(scan.at(), fmt::format("'{}' is not a list", own_key));
    split_values(scan);
  }
  scan.step();
  if (is_found) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("has no list '{}'", wanted_key),
              path().string(),
              "check that this is the annotation file it should be"};
}

void JsonElements::skip_comma(Scanner& scan) const {
  if (scan.is_at_end()) fail(scan.at(), "the file ends too early");
  if (scan.peek() != ',') fail(scan.at(), "expected a comma");
  scan.step();
  scan.skip_space();
}

// The key in quotes and its colon; the scanner stands at the value then.
void JsonElements::read_key(Scanner& scan, uint64_t& begin, uint64_t& end) const {
  begin = scan.at() + 1;
  if (scan.peek() != '"')
    fail(scan.at(), scan.is_at_end() ? "the file ends too early" : "expected a key in quotes");
  if (!scan.skip_string()) fail(begin, "the file ends inside a key");
  end = scan.at() - 1;
  scan.skip_space();
  if (scan.peek() != ':') fail(scan.at(), "expected a colon after the key");
  scan.step();
  scan.skip_space();
}

void JsonElements::skip_value(Scanner& scan) const {
  uint64_t begin = scan.at();
  switch (scan.skip_value()) {
    case Scanner::Skipped::kWhole:
      return;
    case Scanner::Skipped::kEnded:
      fail(begin, "the file ends inside a record");
    case Scanner::Skipped::kTooDeep:
      fail(scan.at(), fmt::format("nested more than {} deep", kDeepest));
    case Scanner::Skipped::kEmpty:
      fail(begin, "expected a value");
  }
}

void JsonElements::count_read(uint64_t num_bytes) const {
  if (num_read_->fetch_add(num_bytes, std::memory_order_relaxed) + num_bytes < kReadBetweenReleases)
    return;
  num_read_->store(0, std::memory_order_relaxed);
  file_.release_pages();
}

std::string_view JsonElements::element(size_t index) const {
  uint64_t begin = begins_.at(index);
  if (index + 1 == begins_.size()) return file_.bytes().substr(begin, end_ - begin);
  // Only white space and one comma lie between an element and what comes next: an element, or a key
  // in quotes.
  uint64_t next = is_object_ ? keys_[index + 1].begin - 1 : begins_[index + 1];
  count_read(next - begin);
  std::string_view text = file_.bytes().substr(begin, next - begin);
  text = text.substr(0, text.rfind(','));
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

std::string_view JsonElements::key(size_t index) const {
  SNELLEN_CHECK(is_object_);
  auto escaped = escaped_keys_.find(index);
  if (escaped != escaped_keys_.end()) return escaped->second;
  const Key& key = keys_.at(index);
  return file_.bytes().substr(key.begin, key.length);
}

std::string JsonElements::where(size_t index) const {
  if (is_object_) return fmt::format("{}: record '{}'", path().string(), key(index).substr(0, 200));
  return fmt::format("{}: record {}", path().string(), index);
}

}  // namespace snellen::formats
