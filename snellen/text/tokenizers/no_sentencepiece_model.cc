// SPDX-License-Identifier: Apache-2.0
// Stands in for sentencepiece_model.cc in a build without the sentencepiece library.
#include "snellen/base/error.h"
#include "snellen/text/tokenizers/sentencepiece_model.h"

namespace snellen::text {

struct SentencePieceModel::Library {};

SentencePieceModel::SentencePieceModel(std::string_view /*bytes*/, std::string source) {
  throw Error{ErrorCode::kNotFound,
              "this build has no sentencepiece library, which spiece.model needs",
              std::move(source),
              "install libsentencepiece-dev and build with -DSNELLEN_SENTENCEPIECE=ON"};
}

SentencePieceModel::~SentencePieceModel() = default;
SentencePieceModel::SentencePieceModel(SentencePieceModel&&) noexcept = default;
SentencePieceModel& SentencePieceModel::operator=(SentencePieceModel&&) noexcept = default;

// No object of this class exists, so none of these is ever called.
std::vector<std::string> SentencePieceModel::encode(std::string_view /*text*/) const {
  return {};
}
TokenId SentencePieceModel::id_of(std::string_view /*piece*/) const {
  return 0;
}
bool SentencePieceModel::has(std::string_view /*piece*/) const {
  return false;
}
std::string_view SentencePieceModel::piece(TokenId /*id*/) const {
  return {};
}
size_t SentencePieceModel::size() const {
  return 0;
}
TokenId SentencePieceModel::unk_id() const {
  return 0;
}

}  // namespace snellen::text
