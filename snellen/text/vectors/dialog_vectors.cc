// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vectors/dialog_vectors.h"

#include <algorithm>
#include <array>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"
#include "snellen/text/words/number_words.h"
#include "snellen/text/words/sentences.h"
#include "snellen/text/words/treebank.h"

namespace snellen::text {
namespace {

constexpr std::array<const char*, 3> kMarks = {"<PAD>", "<EOS>", "<UNK>"};

}  // namespace

std::vector<std::string> dialog_tokens(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '\'');
  plain = lower(replace_numbers(plain));
  std::vector<std::string> tokens;
  for (const std::string_view sentence : split_sentences(plain)) {
    for (std::string& token : treebank_tokens(sentence, Treebank::kNltk34))
      tokens.push_back(std::move(token));
  }
  return tokens;
}

DialogVocabulary::DialogVocabulary() {
  for (const char* mark : kMarks) words_.add(mark);
  counts_.resize(words_.size());
}

DialogVocabulary::DialogVocabulary(const std::vector<std::string>& words) {
  for (const std::string& word : words) words_.add(word);
  const bool has_marks = words_.size() == words.size() && words.size() >= kMarks.size() &&
                         std::equal(kMarks.begin(), kMarks.end(), words.begin());
  if (!has_marks)
    throw Error{ErrorCode::kInvalidInput,
                "the vocabulary does not begin with <PAD>, <EOS>, <UNK>, or names a word twice"};
  counts_.resize(words_.size());
}

void DialogVocabulary::count(const std::vector<std::string>& tokens, uint64_t times) {
  for (const std::string& token : tokens) {
    const uint32_t id = words_.add(token);
    if (id >= counts_.size()) counts_.push_back(0);
    counts_[id] += times;
  }
}

void DialogVocabulary::drop_rare(uint64_t least) {
  DialogVocabulary kept;
  for (uint32_t id = kMarks.size(); id < words_.size(); ++id) {
    if (counts_[id] < least) continue;
    kept.words_.add(words_[id]);
    kept.counts_.push_back(counts_[id]);
  }
  *this = std::move(kept);
}

uint32_t DialogVocabulary::id(std::string_view word) const {
  const uint32_t found = words_.find(word);
  return found == StringPool::kAbsent ? kUnknown : found;
}

std::vector<std::string> DialogVocabulary::words() const {
  std::vector<std::string> all;
  for (uint32_t id = 0; id < words_.size(); ++id) all.emplace_back(words_[id]);
  return all;
}

DialogEncoder::DialogEncoder(DialogVocabulary vocabulary, const WordVectors& words)
    : vocabulary_(std::move(vocabulary)),
      dim_(words.dim()),
      vectors_(vocabulary_.size() * words.dim()) {
  for (uint32_t id = DialogVocabulary::kEnd; id < vocabulary_.size(); ++id) {
    const bool is_known =
        words.read(vocabulary_.word(id), std::span(vectors_).subspan(id * dim_, dim_));
    num_without_vector_ += is_known ? 0 : 1;
  }
}

DialogEncoder::DialogEncoder(DialogVocabulary vocabulary, std::vector<double> vectors)
    : vocabulary_(std::move(vocabulary)),
      dim_(vectors.size() / vocabulary_.size()),
      vectors_(std::move(vectors)) {
  if (dim_ == 0 || vectors_.size() != dim_ * vocabulary_.size())
    throw Error{ErrorCode::kInvalidInput, "the word vectors do not fit the vocabulary"};
}

size_t DialogEncoder::encode(std::string_view text, std::span<double> out) const {
  SNELLEN_CHECK(out.size() == dim_);
  std::fill(out.begin(), out.end(), 0.0);
  const std::vector<std::string> tokens = dialog_tokens(text);
  const size_t num_words = std::min(tokens.size(), kNumSlots - 1);
  size_t num_unknown = 0;
  auto add = [&](uint32_t id) {
    const double* vector = vectors_.data() + id * dim_;
    for (size_t i = 0; i < dim_; ++i) out[i] += vector[i];
  };
  for (size_t i = 0; i < num_words; ++i) {
    const uint32_t id = vocabulary_.id(tokens[i]);
    num_unknown += id == DialogVocabulary::kUnknown ? 1 : 0;
    add(id);
  }
  add(DialogVocabulary::kEnd);
  for (double& x : out) x /= static_cast<double>(num_words + 1);
  return num_unknown;
}

}  // namespace snellen::text
