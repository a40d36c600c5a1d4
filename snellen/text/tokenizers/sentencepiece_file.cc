// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/sentencepiece_file.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/vocabulary.h"

namespace snellen::text {
namespace {

// A field of a protocol buffer message: its number and, by its kind, a number or bytes.
struct Field {
  uint64_t number = 0;
  uint64_t value = 0;
  std::string_view bytes;
};

// The fields of one message, in order.
class Fields {
 public:
  Fields(std::string_view bytes, const std::string& source) : rest_(bytes), source_(source) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    uint64_t key = varint();
    field = {.number = key >> 3, .value = 0, .bytes = {}};
    switch (key & 7) {
      case 0:
        field.value = varint();
        return true;
      case 1:
        field.bytes = take(8);
        return true;
      case 2:
        field.bytes = take(varint());
        return true;
      case 5:
        field.bytes = take(4);
        return true;
      default:
        fail("a field of unknown kind");
    }
  }

 private:
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail("a number that does not end");
  }
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) fail("it ends early");
    std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  [[noreturn]] void fail(std::string_view why) const {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("is not a SentencePiece model: {}", why),
                source_,
                "fetch the file again"};
  }

  std::string_view rest_;
  const std::string& source_;
};

SentencePieceFile::Piece read_piece(std::string_view bytes, const std::string& source) {
  SentencePieceFile::Piece piece;
  Fields fields(bytes, source);
  for (Field field; fields.next(field);) {
    if (field.number == 1) piece.text = field.bytes;
    if (field.number == 2 && field.bytes.size() == 4) {
      std::memcpy(&piece.score, field.bytes.data(), 4);
      if (!std::isfinite(piece.score)) {
        throw Error{ErrorCode::kInvalidInput,
                    fmt::format("piece '{}' has a score that is not a number", piece.text),
                    source};
      }
    }
    if (field.number == 3 && field.value >= 1 && field.value <= 6)
      piece.type = static_cast<SentencePieceFile::Type>(field.value);
  }
  return piece;
}

}  // namespace

SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& source) {
  constexpr uint64_t kPieces = 1;
  constexpr uint64_t kTrainerSpec = 2;
  constexpr uint64_t kModelType = 3;
  constexpr uint64_t kUnigram = 1;
  SentencePieceFile file;
  Fields fields(bytes, source);
  for (Field field; fields.next(field);) {
    if (field.number == kPieces) file.pieces.push_back(read_piece(field.bytes, source));
    if (file.pieces.size() > static_cast<size_t>(Vocabulary::kMostIds))
      throw Error{ErrorCode::kInvalidInput, "has too many pieces", source};
    if (field.number != kTrainerSpec) continue;
    Fields spec(field.bytes, source);
    for (Field inner; spec.next(inner);)
      if (inner.number == kModelType) file.is_unigram = inner.value == kUnigram;
  }
  return file;
}

}  // namespace snellen::text
