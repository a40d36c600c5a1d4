// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/vocabulary_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/byte_letters.h"
#include "snellen/text/tokenizers/json_view.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

constexpr size_t kMostInflated = size_t{64} << 20;
constexpr std::string_view kWordEnd = "</w>";

// Calls take(line, its number from 0) for each line; the last needs no end. A carriage return
// before the end belongs to the end.
template <typename Take>
void for_each_line(std::string_view bytes, Take take) {
  for (size_t number = 0; !bytes.empty(); ++number) {
    size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, number);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

std::pair<std::string, std::string> pair_of(std::string_view line,
                                            size_t number,
                                            const std::string& source) {
  size_t space = line.find(' ');
  bool is_pair = space != std::string_view::npos && space > 0 && space + 1 < line.size() &&
                 line.find(' ', space + 1) == std::string_view::npos;
  if (!is_pair) {
    throw Error{ErrorCode::kInvalidInput,
                "is not two tokens with a space between",
                fmt::format("{}: line {}", source, number + 1),
                "fetch the file again"};
  }
  return {std::string(line.substr(0, space)), std::string(line.substr(space + 1))};
}

std::string inflate_all(std::string_view bytes, const std::string& source) {
  auto bad = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("cannot be unpacked: {}", why),
                 source,
                 "./dev setup brings it again"};
  };
  if (bytes.size() > kMostInflated) throw bad("too large");
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw bad("zlib could not start");
  std::string out;
  std::string block(size_t{1} << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  int status = Z_OK;
  while (status == Z_OK && out.size() <= kMostInflated) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(block, 0, block.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (out.size() > kMostInflated) throw bad("it unpacks to more than 64 MiB");
  if (status != Z_STREAM_END) throw bad("it is not a whole gzip file");
  return out;
}

}  // namespace

Vocabulary read_vocab_json(std::string_view bytes, const std::string& source) {
  JsonFile file(bytes, source);
  Vocabulary vocabulary(source);
  for (auto [token, value] : file.root().object()) {
    int64_t id = 0;
    if (value.get(id) != simdjson::SUCCESS)
      file.root().fail(fmt::format("the id of '{}' is not a whole number", token));
    vocabulary.add(token, id);
  }
  return vocabulary;
}

Vocabulary read_vocab_txt(std::string_view bytes, const std::string& source) {
  Vocabulary vocabulary(source);
  std::string storage;
  for_each_line(bytes, [&](std::string_view line, size_t number) {
    vocabulary.add_or_move(replace_ill_formed(line, storage), static_cast<int64_t>(number));
  });
  return vocabulary;
}

BpeMerges read_merges_txt(std::string_view bytes, const std::string& source) {
  BpeMerges merges;
  for_each_line(bytes, [&](std::string_view line, size_t number) {
    if (line.starts_with("#version") || line.empty()) return;
    merges.push_back(pair_of(line, number, source));
  });
  return merges;
}

SimpleVocabulary read_simple_vocabulary(std::string_view gzip_bytes, const std::string& source) {
  std::string bytes = inflate_all(gzip_bytes, source);
  SimpleVocabulary simple{.vocabulary = Vocabulary(source), .merges = {}};
  for_each_line(bytes, [&](std::string_view line, size_t number) {
    if (number == 0 || number > kSimpleMerges || line.empty()) return;
    simple.merges.push_back(pair_of(line, number, source));
  });
  int64_t next = 0;
  std::array<char32_t, 256> letters = letters_of_bytes();
  for (std::string_view end : {std::string_view(), kWordEnd}) {
    for (uint8_t byte : bytes_in_vocabulary_order()) {
      std::string token;
      append_utf8(token, letters[byte]);
      simple.vocabulary.add(token.append(end), next++);
    }
  }
  // Two merges may make the same string; the reference's dictionary keeps the later id.
  for (const auto& [left, right] : simple.merges)
    simple.vocabulary.add_or_move(left + right, next++);
  simple.start = static_cast<TokenId>(next++);
  simple.end = static_cast<TokenId>(next);
  simple.vocabulary.add("<start_of_text>", simple.start);
  simple.vocabulary.add("<end_of_text>", simple.end);
  return simple;
}

}  // namespace snellen::text
