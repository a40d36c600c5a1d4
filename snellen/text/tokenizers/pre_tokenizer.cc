// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/pre_tokenizer.h"

#include "snellen/base/error.h"
#include "snellen/text/tokenizers/unicode_classes.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

using Words = std::vector<std::string_view>;

void add(Words& out, std::string_view text, size_t begin, size_t end) {
  if (end > begin) out.push_back(text.substr(begin, end - begin));
}

// A word begins at white space, which is dropped, and where `stands_apart` says so.
template <typename StandsApart>
void split_spaces(std::string_view text, Words& out, StandsApart stands_apart) {
  size_t begin = 0;
  size_t at = 0;
  while (at < text.size()) {
    CodePoint c = decode_at(text, at);
    size_t end = at + c.size;
    bool is_space = is_regex_space(c.value);
    if (is_space || stands_apart(c.value)) {
      add(out, text, begin, at);
      if (!is_space) add(out, text, at, end);
      begin = end;
    }
    at = end;
  }
  add(out, text, begin, text.size());
}

struct Found {
  size_t begin;
  size_t end;
};

Found next_match(const std::variant<SplitPattern, std::string>& pattern,
                 std::string_view text,
                 size_t at) {
  if (const auto* literal = std::get_if<std::string>(&pattern)) {
    size_t found = text.find(*literal, at);
    if (found == std::string_view::npos) return {text.size(), text.size()};
    return {found, found + literal->size()};
  }
  while (at < text.size()) {
    if (size_t size = match_at(std::get<SplitPattern>(pattern), text, at)) return {at, at + size};
    at += decode_at(text, at).size;
  }
  return {text.size(), text.size()};
}

// Takes the pieces of a text in order, matches and what lies between them.
class Joiner {
 public:
  Joiner(std::string_view text, SplitBehavior behavior, Words& out)
      : text_(text), behavior_(behavior), out_(out) {}

  void take(size_t begin, size_t end, bool is_match) {
    if (begin == end) return;
    switch (behavior_) {
      case SplitBehavior::kRemoved:
        if (!is_match) add(out_, text_, begin, end);
        return;
      case SplitBehavior::kIsolated:
        add(out_, text_, begin, end);
        return;
      case SplitBehavior::kMergedWithPrevious:
        // A match joins the word before it unless that one ends with a match too.
        if (is_match && has_word_ && !was_match_) {
          out_.back() = text_.substr(word_begin_, end - word_begin_);
        } else {
          start(begin, end);
        }
        was_match_ = is_match;
        return;
      case SplitBehavior::kMergedWithNext:
        // A match waits for the word after it; a second match starts anew.
        if (!is_match && has_word_ && was_match_) {
          out_.back() = text_.substr(word_begin_, end - word_begin_);
        } else {
          start(begin, end);
        }
        was_match_ = is_match;
        return;
    }
  }

 private:
  void start(size_t begin, size_t end) {
    add(out_, text_, begin, end);
    word_begin_ = begin;
    has_word_ = true;
  }

  std::string_view text_;
  SplitBehavior behavior_;
  Words& out_;
  size_t word_begin_ = 0;
  bool has_word_ = false;
  bool was_match_ = false;
};

void split_by(const Split& step, std::string_view text, Words& out) {
  Joiner joiner(text, step.behavior, out);
  for (size_t at = 0; at < text.size();) {
    Found found = next_match(step.pattern, text, at);
    joiner.take(at, found.begin, step.invert);
    joiner.take(found.begin, found.end, !step.invert);
    at = found.end;
  }
}

void split_words(const PreTokenizerStep& step, std::string_view text, Words& out) {
  if (std::holds_alternative<BertSplit>(step)) return split_spaces(text, out, is_bert_punctuation);
  if (std::holds_alternative<WhitespaceSplit>(step))
    return split_spaces(text, out, [](char32_t) { return false; });
  if (const auto* split = std::get_if<Split>(&step)) return split_by(*split, text, out);
  if (!std::get<ByteLevel>(step).use_regex) return add(out, text, 0, text.size());
  for (size_t at = 0; at < text.size();) {
    size_t size = match_at(SplitPattern::kGpt2, text, at);
    out.push_back(text.substr(at, size));
    at += size;
  }
}

}  // namespace

PreTokenizer::PreTokenizer(std::vector<PreTokenizerStep> steps) : steps_(std::move(steps)) {
  for (size_t i = 0; i + 1 < steps_.size(); ++i)
    SNELLEN_CHECK(!std::holds_alternative<ByteLevel>(steps_[i]));
}

bool PreTokenizer::is_byte_level() const {
  return !steps_.empty() && std::holds_alternative<ByteLevel>(steps_.back());
}

void PreTokenizer::split(std::string_view text, Words& words, std::string& storage) const {
  words.clear();
  if (!text.empty()) words.push_back(text);
  Words before;
  for (const PreTokenizerStep& step : steps_) {
    const auto* bytes = std::get_if<ByteLevel>(&step);
    if (bytes != nullptr && bytes->add_prefix_space) {
      // Every piece that does not start with a space gets one.
      storage.clear();
      std::vector<size_t> ends;
      for (std::string_view word : words) {
        if (!word.starts_with(' ')) storage.push_back(' ');
        storage.append(word);
        ends.push_back(storage.size());
      }
      for (size_t i = 0; i < words.size(); ++i) {
        size_t begin = i == 0 ? 0 : ends[i - 1];
        words[i] = std::string_view(storage).substr(begin, ends[i] - begin);
      }
    }
    before.swap(words);
    words.clear();
    for (std::string_view word : before) split_words(step, word, words);
  }
}

}  // namespace snellen::text
