// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/sentencepiece_model.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/unigram.h"

namespace snellen::text {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;

}  // namespace

struct SentencePieceModel::Library {
  sentencepiece::SentencePieceProcessor processor;
  std::optional<UnigramModel> unigram;  // not for models with byte tokens
  std::string source;
};

SentencePieceModel::SentencePieceModel(std::string_view bytes, std::string source)
    : library_(std::make_unique<Library>()) {
  library_->source = std::move(source);
  auto bad = [&](std::string why) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("is not a SentencePiece model: {}", why),
                 library_->source,
                 "fetch the file again"};
  };
  if (bytes.size() > kMostBytes) throw bad(fmt::format("{} bytes", bytes.size()));
  auto status = library_->processor.LoadFromSerializedProto({bytes.data(), bytes.size()});
  if (!status.ok()) throw bad(status.error_message());
  if (library_->processor.GetPieceSize() == 0) throw bad("it has no pieces");
  SentencePieceFile file = read_sentencepiece_file(bytes, library_->source);
  bool has_bytes = std::any_of(file.pieces.begin(), file.pieces.end(), [](const auto& piece) {
    return piece.type == SentencePieceFile::Type::kByte;
  });
  if (file.is_unigram && !has_bytes) library_->unigram.emplace(file);
}

SentencePieceModel::~SentencePieceModel() = default;
SentencePieceModel::SentencePieceModel(SentencePieceModel&&) noexcept = default;
SentencePieceModel& SentencePieceModel::operator=(SentencePieceModel&&) noexcept = default;

std::vector<std::string> SentencePieceModel::encode(std::string_view text) const {
  std::vector<std::string> pieces;
  auto status = library_->processor.Encode({text.data(), text.size()}, &pieces);
  if (!status.ok()) throw Error{ErrorCode::kInvalidInput, status.error_message(), library_->source};
  if (!library_->unigram) return pieces;
  // Together they are the text as the library normalises it.
  std::string normalized;
  for (const std::string& piece : pieces) normalized += piece;
  return library_->unigram->encode(normalized);
}

TokenId SentencePieceModel::id_of(std::string_view piece) const {
  return library_->processor.PieceToId({piece.data(), piece.size()});
}

bool SentencePieceModel::has(std::string_view piece) const {
  return this->piece(id_of(piece)) == piece;
}

std::string_view SentencePieceModel::piece(TokenId id) const {
  if (id < 0 || static_cast<size_t>(id) >= size()) return {};
  return library_->processor.IdToPiece(id);
}

size_t SentencePieceModel::size() const {
  return static_cast<size_t>(library_->processor.GetPieceSize());
}

TokenId SentencePieceModel::unk_id() const {
  return library_->processor.unk_id();
}

}  // namespace snellen::text
