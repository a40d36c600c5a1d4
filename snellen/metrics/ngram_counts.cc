// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/ngram_counts.h"

#include <algorithm>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"

namespace snellen::metrics {
namespace {

// Appends each distinct number with its count, sorted; `numbers` is left sorted.
void append_counts(std::vector<uint32_t>& numbers, std::vector<Gram>& out) {
  std::sort(numbers.begin(), numbers.end());
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[i]) ++end;
    out.push_back({numbers[i], static_cast<uint32_t>(end - i)});
    i = end;
  }
}

}  // namespace

Range range_of(size_t total, size_t part, size_t num_parts) {
  return {total * part / num_parts, total * (part + 1) / num_parts};
}

void run_parts(const Parts& parts, const std::function<void(size_t)>& part) {
  if (parts.num_parts > 1 && parts.run) {
    parts.run(parts.num_parts, part);
    return;
  }
  for (size_t i = 0; i < parts.num_parts; ++i) part(i);
}

// A run of texts counted on its own, with numbers of its own.
struct NgramCounts::Counted {
  text::StringPool words;
  NgramTable ngrams;
  std::vector<Gram> grams;  // ids are numbers of this part
  std::vector<uint64_t> ends;
  std::vector<uint32_t> num_words;
  // The numbers of the whole for those of this part, unless they are the same.
  bool keeps_numbers = false;
  std::vector<uint32_t> whole_words;
  std::vector<uint32_t> whole_ngrams;

  uint32_t whole(uint32_t number) const;
};

NgramCounts::Counted NgramCounts::count_range(const text::StringPool& pool,
                                              Range range,
                                              size_t num_orders) {
  Counted part;
  std::vector<uint32_t> words;
  std::vector<uint32_t> numbers;  // of the n-gram of the order at hand that starts at each word
  std::vector<uint32_t> sorted;
  for (size_t text = range.begin; text < range.end; ++text) {
    words.clear();
    text::for_each_word(pool[static_cast<uint32_t>(text)],
                        [&](std::string_view word) { words.push_back(part.words.add(word)); });
    part.num_words.push_back(static_cast<uint32_t>(words.size()));
    numbers = words;
    for (size_t order = 0; order < num_orders; ++order) {
      if (order > 0) {
        numbers.resize(words.size() > order ? words.size() - order : 0);
        for (size_t i = 0; i < numbers.size(); ++i)
          numbers[i] = part.ngrams.add(numbers[i], words[i + order]);
      }
      sorted = numbers;
      append_counts(sorted, part.grams);
      part.ends.push_back(part.grams.size());
    }
  }
  return part;
}

void NgramCounts::adopt(Counted& part) {
  if (num_ids() == 0) {
    // The first numbers are those of the whole already.
    words_ = std::move(part.words);
    ngrams_ = std::move(part.ngrams);
    part.keeps_numbers = true;
    return;
  }
  part.whole_words.resize(part.words.size());
  for (uint32_t i = 0; i < part.words.size(); ++i) part.whole_words[i] = words_.add(part.words[i]);
  part.whole_ngrams.resize(part.ngrams.size());
  ngrams_.reserve(ngrams_.size() + part.ngrams.size());
  for (size_t i = 0; i < part.ngrams.size(); ++i) {
    // A prefix came before what it begins, so its number of the whole is known by now.
    NgramTable::Parts parts = part.ngrams.parts(i);
    part.whole_ngrams[i] = ngrams_.add(part.whole(parts.prefix), part.whole_words[parts.word]);
  }
}

uint32_t NgramCounts::Counted::whole(uint32_t number) const {
  if (keeps_numbers) return number;
  return number < NgramTable::kFirst ? whole_words[number]
                                     : whole_ngrams[number - NgramTable::kFirst];
}

void NgramCounts::place(const Counted& part, size_t first_text, size_t first_gram) {
  std::copy(part.num_words.begin(),
            part.num_words.end(),
            num_words_.begin() + static_cast<ptrdiff_t>(first_text));
  auto by_id = [](const Gram& a, const Gram& b) { return a.id < b.id; };
  auto first = grams_.begin() + static_cast<ptrdiff_t>(first_gram);
  auto begin = first;
  for (size_t i = 0; i < part.grams.size(); ++i) {
    grams_[first_gram + i] = {id_of(part.whole(part.grams[i].id)), part.grams[i].count};
  }
  for (size_t row = 0; row < part.ends.size(); ++row) {
    auto end = first + static_cast<ptrdiff_t>(part.ends[row]);
    if (!part.keeps_numbers) std::sort(begin, end, by_id);
    begin = end;
    begins_[first_text * num_orders_ + row + 1] = first_gram + part.ends[row];
  }
}

NgramCounts::NgramCounts(const text::StringPool& pool, size_t num_orders, const Parts& parts)
    : num_orders_(num_orders) {
  std::vector<Counted> counted(parts.num_parts);
  run_parts(parts, [&](size_t part) {
    counted[part] = count_range(pool, range_of(pool.size(), part, parts.num_parts), num_orders);
  });
  std::vector<size_t> first_gram = {0};
  // In order of the texts: this gives every n-gram the number it would have had without parts.
  for (Counted& part : counted) {
    adopt(part);
    first_gram.push_back(first_gram.back() + part.grams.size());
  }
  if (num_ids() > std::numeric_limits<uint32_t>::max()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} distinct n-grams are too many", num_ids())};
  }
  grams_.resize(first_gram.back());
  begins_.assign(pool.size() * num_orders + 1, 0);
  num_words_.resize(pool.size());
  run_parts(parts, [&](size_t part) {
    place(counted[part], range_of(pool.size(), part, parts.num_parts).begin, first_gram[part]);
  });
}

}  // namespace snellen::metrics
