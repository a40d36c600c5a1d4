// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/clip_lane.h"

#include <algorithm>

namespace snellen::text {
namespace {

constexpr uint64_t kLowerBits = 0x2020202020202020U;

bool is_clip_normalizer(const Normalizer& normalizer) {
  bool lowers = false;
  for (const NormalizerStep& step : normalizer.steps()) {
    const auto* form = std::get_if<NormalForm>(&step);
    bool is_known = (form != nullptr && *form == NormalForm::kNfc) ||
                    std::holds_alternative<CollapseSpaces>(step) ||
                    std::holds_alternative<Lowercase>(step);
    if (!is_known) return false;
    lowers = lowers || std::holds_alternative<Lowercase>(step);
  }
  return lowers;
}

bool is_clip_split(const PreTokenizer& pre_tokenizer) {
  const std::vector<PreTokenizerStep>& steps = pre_tokenizer.steps();
  if (steps.size() != 2 || !pre_tokenizer.is_byte_level()) return false;
  const auto* split = std::get_if<Split>(&steps[0]);
  if (split == nullptr || std::get<ByteLevel>(steps[1]).add_prefix_space) return false;
  const auto* pattern = std::get_if<SplitPattern>(&split->pattern);
  return pattern != nullptr &&
         (*pattern == SplitPattern::kClip || *pattern == SplitPattern::kClipWithMarks) &&
         split->invert && split->behavior == SplitBehavior::kRemoved;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

std::optional<ClipLane> ClipLane::for_parts(const Normalizer& normalizer,
                                            const PreTokenizer& pre_tokenizer,
                                            const SubwordModel& model,
                                            std::initializer_list<const AddedTokens*> added) {
  const auto* bpe = dynamic_cast<const BpeModel*>(&model);
  if (bpe == nullptr || !bpe->options().is_byte_level || !is_clip_normalizer(normalizer) ||
      !is_clip_split(pre_tokenizer))
    return std::nullopt;
  return ClipLane(*bpe, added);
}

ClipLane::ClipLane(const BpeModel& model, std::initializer_list<const AddedTokens*> added)
    : model_(&model) {
  for (size_t i = 0; i < classes_.size(); ++i) {
    auto c = static_cast<unsigned char>(i);
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    classes_[i] = c >= 0x80                         ? kStop
                  : is_letter                       ? kLetter
                  : c >= '0' && c <= '9'            ? kDigit
                  : c == ' ' || (c >= 9 && c <= 13) ? kSpace
                                                    : kOther;
    bool may_be_added = std::any_of(added.begin(), added.end(), [&](const AddedTokens* tokens) {
      return tokens->may_start_with(c);
    });
    if (may_be_added) classes_[i] = kStop;
    // What an added token for lower-cased text starts with is also met as a capital.
    if (may_be_added && c >= 'a' && c <= 'z') classes_[i - 32] = kStop;
  }
  classes_['<'] = kStop;  // <|startoftext|> in capitals is a word of its own in the pattern
}

bool ClipLane::append_tokens(std::string_view text,
                             SubwordScratch& scratch,
                             std::vector<TokenId>& out) const {
  size_t before = out.size();
  for (size_t at = 0; at < text.size();) {
    Class first = class_at(text, at);
    size_t end = at + 1;
    switch (first) {
      case kSpace:
        at = end;
        continue;
      case kLetter:
        end = end_of_run(text, end, kLetter);
        break;
      case kDigit:
        break;
      case kOther: {
        size_t size = 0;
        if (text[at] == '\'') {
          std::array<char, 3> next = {'\'', 0, 0};
          for (size_t i = 1; i < 3 && at + i < text.size(); ++i) next[i] = lower(text[at + i]);
          size = contraction_at({next.data(), std::min<size_t>(3, text.size() - at)}, 0);
        }
        end = size > 0 ? at + size : end_of_run(text, end, kOther);
        break;
      }
      case kStop:
        out.resize(before);
        return false;
    }
    append_word(text, at, end, scratch, out);
    at = end;
  }
  return true;
}

void ClipLane::append_word(std::string_view text,
                           size_t begin,
                           size_t end,
                           SubwordScratch& scratch,
                           std::vector<TokenId>& out) const {
  size_t length = end - begin;
  if (length <= WordCache::kMostBytes) {
    WordCache::Key key = begin + WordCache::kMostBytes <= text.size()
                             ? WordCache::key_of_padded(text.data() + begin, length)
                             : WordCache::key_of(text.substr(begin, length));
    // A word of letters is lower-cased by setting one bit of each byte.
    if (class_at(text, begin) == kLetter) {
      key.low |= length >= 8 ? kLowerBits : kLowerBits & ((uint64_t{1} << (length * 8)) - 1);
      if (length == 16) {
        key.high |= kLowerBits;
      } else if (length > 8) {
        key.high |= kLowerBits & ((uint64_t{1} << ((length - 8) * 8)) - 1);
      }
    } else if (text[begin] == '\'') {
      key = WordCache::Key{};  // may hold capitals: spelled below
    }
    TokenId id = model_->cache().find(key);
    if (id != Vocabulary::kAbsent) {
      out.push_back(id);
      return;
    }
  }
  std::array<char, 64> small;
  std::string large;
  char* word = small.data();
  if (length > small.size()) {
    large.resize(length);
    word = large.data();
  }
  std::transform(text.begin() + static_cast<ptrdiff_t>(begin),
                 text.begin() + static_cast<ptrdiff_t>(end),
                 word,
                 lower);
  model_->encode({word, length}, scratch, out);
}

}  // namespace snellen::text
