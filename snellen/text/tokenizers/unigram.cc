// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/unigram.h"

#include <algorithm>
#include <limits>

#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

using Type = SentencePieceFile::Type;

constexpr float kUnkPenalty = 10.0F;
constexpr size_t kNowhere = SIZE_MAX;

// The best way to reach a place in the text.
struct Path {
  float score = 0;
  size_t begin = kNowhere;  // of its last piece
  bool is_known = false;    // its last piece
};

}  // namespace

UnigramModel::UnigramModel(const SentencePieceFile& file) : pieces_(file.pieces) {
  float least = std::numeric_limits<float>::max();
  float most = std::numeric_limits<float>::lowest();
  for (size_t id = 0; id < pieces_.size(); ++id) {
    const SentencePieceFile::Piece& piece = pieces_[id];
    if (piece.type == Type::kNormal) {
      least = std::min(least, piece.score);
      most = std::max(most, piece.score);
    }
    bool is_text = piece.type == Type::kNormal || piece.type == Type::kUserDefined;
    if (is_text && !piece.text.empty() && ids_.find(piece.text) == StringTable::kAbsent)
      ids_.set(piece.text, static_cast<int32_t>(id));
  }
  if (least <= most) {
    unk_score_ = least - kUnkPenalty;
    max_score_ = most;
  }
}

float UnigramModel::score_of(size_t id, size_t num_bytes) const {
  // A user's own symbol gets a bonus that lets it always win.
  if (pieces_[id].type == Type::kUserDefined)
    return static_cast<float>(static_cast<double>(static_cast<float>(num_bytes) * max_score_) -
                              0.1);
  return pieces_[id].score;
}

std::vector<std::string> UnigramModel::encode(std::string_view text) const {
  std::vector<Path> paths(text.size() + 1);
  for (size_t begin = 0; begin < text.size();) {
    size_t first = decode_at(text, begin).size;
    auto offer = [&](size_t end, float score, bool is_known) {
      float sum = score + paths[begin].score;
      if (paths[end].begin == kNowhere || sum > paths[end].score)
        paths[end] = {sum, begin, is_known};
    };
    bool has_single = false;
    size_t last = std::min(text.size(), begin + ids_.longest_key());
    for (size_t end = begin + first; end <= last;) {
      int32_t id = ids_.find(text.substr(begin, end - begin));
      if (id != StringTable::kAbsent) {
        offer(end, score_of(static_cast<size_t>(id), end - begin), true);
        has_single = has_single || end - begin == first;
      }
      if (end == text.size()) break;
      end += decode_at(text, end).size;
    }
    if (!has_single) offer(begin + first, unk_score_, false);
    begin += first;
  }
  std::vector<std::string_view> pieces;  // the last first; unknown ones that touch are one
  bool was_unknown = false;
  for (size_t end = text.size(); end > 0; end = paths[end].begin) {
    const size_t begin = paths[end].begin;
    const bool is_unknown = !paths[end].is_known;
    if (is_unknown && was_unknown) {
      pieces.back() = text.substr(begin, end - begin + pieces.back().size());
    } else {
      pieces.push_back(text.substr(begin, end - begin));
    }
    was_unknown = is_unknown;
  }
  return {pieces.rbegin(), pieces.rend()};
}

}  // namespace snellen::text
