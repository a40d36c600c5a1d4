// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/fasttext.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

constexpr int32_t kMagic = 793712314;
constexpr int32_t kWidest = 1 << 20;   // dim: no real model comes near, and rows stay small
constexpr int32_t kLongestNgram = 64;  // bounds the work per word
constexpr std::string_view kEndOfSentence = "</s>";

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

// Reads the file front to back and never past its end.
class FastText::Reader {
 public:
  explicit Reader(const MappedFile& file) : bytes_(file.bytes()), source_(file.path().string()) {}

  template <typename T>
  T number(std::string_view field) {
    T value;
    need(sizeof value, field);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  // A NUL-terminated word; returns where it begins.
  uint64_t skip_word() {
    size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) fail("the file ends inside a word");
    uint64_t begin = at_;
    at_ = end + 1;
    return begin;
  }

  void skip(uint64_t size, std::string_view field) {
    need(size, field);
    at_ += size;
  }
  uint64_t at() const { return at_; }
  uint64_t left() const { return bytes_.size() - at_; }

  void check(bool holds, std::string_view what) const {
    if (!holds) fail(what);
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} (byte {})", what, at_),
                source_,
                "expected an unsupervised, unquantised fastText .bin, such as wiki.en.bin"};
  }

 private:
  void need(uint64_t size, std::string_view field) const {
    if (size > left())
      fail(fmt::format("the file ends before {}: {} bytes wanted, {} left", field, size, left()));
  }

  std::string_view bytes_;
  std::string source_;
  uint64_t at_ = 0;
};

FastText::FastText(std::filesystem::path path) : file_(std::move(path)) {
  Reader reader(file_);
  auto first = reader.number<int32_t>("the first number");
  bool is_new = first == kMagic;
  if (is_new) {
    auto version = reader.number<int32_t>("the version");
    reader.check(version == 11 || version == 12,
                 fmt::format("version {} is not 11 or 12", version));
  }
  int32_t dim = is_new ? reader.number<int32_t>("dim") : first;
  reader.check(dim > 0 && dim <= kWidest, fmt::format("dim is {}", dim));
  dim_ = static_cast<size_t>(dim);
  read_header(reader, is_new);
  if (is_new)
    reader.check(reader.number<uint8_t>("the quantised flag") == 0, "the model is quantised");
  read_matrix(reader);
}

void FastText::read_header(Reader& reader, bool is_new) {
  for (std::string_view field : {"ws", "epoch", "minCount", "neg", "wordNgrams", "loss", "model"}) {
    reader.number<int32_t>(field);
  }
  auto bucket = reader.number<int32_t>("bucket");
  auto minn = reader.number<int32_t>("minn");
  auto maxn = reader.number<int32_t>("maxn");
  reader.number<int32_t>("lrUpdateRate");
  reader.number<double>("t");
  reader.check(bucket >= 0, fmt::format("bucket is {}", bucket));
  reader.check(minn >= 0 && maxn >= 0 && maxn <= kLongestNgram,
               fmt::format("minn is {}, maxn is {}", minn, maxn));
  reader.check(bucket > 0 || maxn == 0, "there are n-grams but no buckets");
  num_buckets_ = static_cast<uint32_t>(bucket);
  min_ngram_ = static_cast<uint32_t>(minn);
  max_ngram_ = static_cast<uint32_t>(maxn);
  auto size = reader.number<int32_t>("the dictionary size");
  auto nwords = reader.number<int32_t>("nwords");
  auto nlabels = reader.number<int32_t>("nlabels");
  reader.number<int64_t>("ntokens");
  auto num_pruned = is_new ? reader.number<int64_t>("pruneidx_size") : -1;
  reader.check(nlabels == 0, fmt::format("the model has {} labels, so it is supervised", nlabels));
  reader.check(nwords >= 0 && size == nwords,
               fmt::format("the dictionary has {} entries but {} words", size, nwords));
  num_words_ = static_cast<uint32_t>(nwords);
  read_words(reader);
  if (num_pruned > 0) {
    reader.check(static_cast<uint64_t>(num_pruned) <= reader.left() / 8,
                 "the pruning index is longer than the file");
    reader.skip(8 * static_cast<uint64_t>(num_pruned), "the pruning index");
  }
}

void FastText::read_words(Reader& reader) {
  // An entry takes at least a NUL, a count and a type: what the header claims cannot exceed what
  // the file holds.
  constexpr uint64_t kSmallestEntry = 1 + 8 + 1;
  reader.check(num_words_ <= reader.left() / kSmallestEntry,
               fmt::format("{} words cannot fit into {} bytes", num_words_, reader.left()));
  slots_.assign(std::bit_ceil(2 * uint64_t{num_words_} + 1), kAbsent);
  word_begins_.reserve(num_words_);
  for (uint32_t id = 0; id < num_words_; ++id) {
    word_begins_.push_back(reader.skip_word());
    reader.skip(8, "the count of a word");
    auto type = reader.number<int8_t>("the type of a word");
    reader.check(type == 0,
                 fmt::format("dictionary entry {} is of type {}, not a word", id, int{type}));
    uint32_t& slot = slots_[slot_of(word_at(id))];
    if (slot == kAbsent) slot = id;
  }
}

void FastText::read_matrix(Reader& reader) {
  auto rows = reader.number<int64_t>("the number of rows");
  auto cols = reader.number<int64_t>("the number of columns");
  uint64_t wanted = uint64_t{num_words_} + num_buckets_;
  reader.check(rows >= 0 && static_cast<uint64_t>(rows) == wanted,
               fmt::format("the matrix has {} rows, expected {} words + {} buckets",
                           rows,
                           num_words_,
                           num_buckets_));
  reader.check(cols >= 0 && static_cast<uint64_t>(cols) == dim_,
               fmt::format("the matrix has {} columns, expected {}", cols, dim_));
  matrix_begin_ = reader.at();
  // Below 2^33 rows of below 2^23 bytes: no overflow.
  reader.skip(wanted * dim_ * sizeof(float), "the matrix");
}

std::string_view FastText::word_at(uint32_t id) const {
  // The constructor saw its NUL.
  return std::string_view(file_.bytes().data() + word_begins_[id]);
}

size_t FastText::slot_of(std::string_view word) const {
  size_t mask = slots_.size() - 1;
  size_t at = StringPool::hash(word) & mask;
  while (slots_[at] != kAbsent && word_at(slots_[at]) != word) at = (at + 1) & mask;
  return at;
}

uint32_t FastText::find(std::string_view word) const {
  return slots_[slot_of(word)];
}

uint32_t FastText::hash(std::string_view ngram) {
  uint32_t h = 2166136261u;
  for (char c : ngram) {
    h ^= static_cast<uint32_t>(static_cast<int32_t>(static_cast<signed char>(c)));
    h *= 16777619u;
  }
  return h;
}

template <typename Take>
void FastText::for_each_ngram(std::string_view word, Take take) const {
  if (word == kEndOfSentence) return;
  std::string wrapped = fmt::format("<{}>", word);
  std::string_view text(wrapped);
  std::vector<size_t> starts;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_continuation(text[at])) starts.push_back(at);
  }
  size_t length = starts.size();
  starts.push_back(text.size());
  for (size_t n = std::max(min_ngram_, 1u); n <= std::min<size_t>(max_ngram_, length); ++n) {
    for (size_t first = 0; first + n <= length; ++first) {
      bool is_lone_mark = n == 1 && (first == 0 || first + 1 == length);
      if (!is_lone_mark) take(text.substr(starts[first], starts[first + n] - starts[first]));
    }
  }
}

std::vector<std::string> FastText::ngrams(std::string_view word) const {
  std::vector<std::string> all;
  for_each_ngram(word, [&](std::string_view ngram) { all.emplace_back(ngram); });
  return all;
}

void FastText::add_row(uint64_t row, std::span<double> sum) const {
  // Rows need not be aligned in the file.
  const char* at = file_.bytes().data() + matrix_begin_ + row * dim_ * sizeof(float);
  for (size_t i = 0; i < sum.size(); ++i) {
    float value;
    std::memcpy(&value, at + i * sizeof value, sizeof value);
    sum[i] += static_cast<double>(value);
  }
}

bool FastText::read(std::string_view word, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  size_t num_rows = 0;
  uint32_t id = find(word);
  if (id != kAbsent) {
    add_row(id, out);
    ++num_rows;
  }
  for_each_ngram(word, [&](std::string_view ngram) {
    add_row(row_of_ngram(ngram), out);
    ++num_rows;
  });
  if (num_rows == 0) return false;
  for (double& x : out) x /= static_cast<double>(num_rows);
  return true;
}

}  // namespace snellen::text
