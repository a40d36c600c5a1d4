// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/ngram_counts.h"

#include <algorithm>
#include <array>
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

// Texts as numbers, one after the other.
struct NgramCounts::Numbered {
  std::vector<uint64_t> begins;               // [texts] and one more: places of the first words
  std::vector<std::vector<uint32_t>> orders;  // [orders, places]: the n-gram that starts there
  size_t num_texts() const { return begins.size() - 1; }
  // How many n-grams of an order a text has.
  size_t count(size_t text, size_t order) const {
    size_t words = begins[text + 1] - begins[text];
    return words > order ? words - order : 0;
  }
};

NgramCounts::Numbered NgramCounts::read_words(const text::StringPool& pool, const Parts& parts) {
  struct Read {
    text::StringPool words;
    std::vector<uint32_t> numbers;  // of its own pool
    std::vector<uint32_t> whole;    // the numbers of the whole for those
  };
  std::vector<Read> reads(parts.num_parts);
  num_words_.resize(pool.size());
  run_parts(parts, [&](size_t part) {
    Read read;  // its own until it is done: neighbours would share cache lines
    Range range = range_of(pool.size(), part, parts.num_parts);
    for (size_t text = range.begin; text < range.end; ++text) {
      size_t before = read.numbers.size();
      text::for_each_word(pool[static_cast<uint32_t>(text)], [&](std::string_view word) {
        read.numbers.push_back(read.words.add(word));
      });
      num_words_[text] = static_cast<uint32_t>(read.numbers.size() - before);
    }
    reads[part] = std::move(read);
  });
  // In order of the texts: every word gets the number it would have had without parts. Words are
  // few beside n-grams.
  size_t num_places = 0;
  for (Read& read : reads) {
    num_places += read.numbers.size();
    for (uint32_t i = 0; i < read.words.size(); ++i)
      read.whole.push_back(words_.add(read.words[i]));
  }
  Numbered texts;
  texts.begins.resize(pool.size() + 1);
  for (size_t text = 0; text < pool.size(); ++text)
    texts.begins[text + 1] = texts.begins[text] + num_words_[text];
  texts.orders.assign(num_orders_, std::vector<uint32_t>(num_places));
  run_parts(parts, [&](size_t part) {
    const Read& read = reads[part];
    uint32_t* place =
        texts.orders[0].data() + texts.begins[range_of(pool.size(), part, parts.num_parts).begin];
    for (uint32_t number : read.numbers) *place++ = read.whole[number];
  });
  return texts;
}

void NgramCounts::extend(Numbered& texts, size_t order, const Parts& parts) {
  struct Wanted {
    uint32_t prefix;
    uint32_t word;
    uint64_t place;
  };
  using Buckets = std::array<std::vector<Wanted>, ShardedNgrams::kShards>;
  std::vector<Buckets> buckets(parts.num_parts);
  const std::vector<uint32_t>& words = texts.orders[0];
  const std::vector<uint32_t>& prefixes = texts.orders[order - 1];
  run_parts(parts, [&](size_t part) {
    Buckets mine;
    Range range = range_of(texts.num_texts(), part, parts.num_parts);
    for (size_t text = range.begin; text < range.end; ++text) {
      uint64_t end = texts.begins[text] + texts.count(text, order);
      for (uint64_t place = texts.begins[text]; place < end; ++place) {
        uint32_t prefix = prefixes[place], word = words[place + order];
        mine[ShardedNgrams::shard_of(prefix, word)].push_back({prefix, word, place});
      }
    }
    buckets[part] = std::move(mine);
  });
  // Each shard by one thread, in order of the texts.
  run_parts(parts, [&](size_t part) {
    Range range = range_of(ShardedNgrams::kShards, part, parts.num_parts);
    for (size_t shard = range.begin; shard < range.end; ++shard) {
      for (const Buckets& from : buckets) {
        for (const Wanted& one : from[shard])
          texts.orders[order][one.place] = ngrams_.add(shard, one.prefix, one.word);
      }
    }
  });
}

void NgramCounts::count(const Numbered& texts, const Parts& parts) {
  struct Counted {
    std::vector<Gram> grams;
    std::vector<uint64_t> ends;
  };
  std::vector<Counted> counted(parts.num_parts);
  run_parts(parts, [&](size_t part) {
    Counted mine;
    std::vector<uint32_t> ids;
    Range range = range_of(texts.num_texts(), part, parts.num_parts);
    for (size_t text = range.begin; text < range.end; ++text) {
      for (size_t order = 0; order < num_orders_; ++order) {
        const uint32_t* first = texts.orders[order].data() + texts.begins[text];
        ids.assign(first, first + texts.count(text, order));
        for (uint32_t& id : ids) id = id_of(id);
        append_counts(ids, mine.grams);
        mine.ends.push_back(mine.grams.size());
      }
    }
    counted[part] = std::move(mine);
  });
  std::vector<uint64_t> first_gram = {0};
  for (const Counted& mine : counted) first_gram.push_back(first_gram.back() + mine.grams.size());
  grams_.resize(first_gram.back());
  begins_.assign(texts.num_texts() * num_orders_ + 1, 0);
  run_parts(parts, [&](size_t part) {
    const Counted& mine = counted[part];
    std::copy(mine.grams.begin(),
              mine.grams.end(),
              grams_.begin() + static_cast<ptrdiff_t>(first_gram[part]));
    size_t row = range_of(texts.num_texts(), part, parts.num_parts).begin * num_orders_;
    for (uint64_t end : mine.ends) begins_[++row] = first_gram[part] + end;
  });
}

NgramCounts::NgramCounts(const text::StringPool& pool, size_t num_orders, const Parts& parts)
    : num_orders_(num_orders) {
  Numbered texts = read_words(pool, parts);
  for (size_t order = 1; order < num_orders; ++order) extend(texts, order, parts);
  if (num_ids() > std::numeric_limits<uint32_t>::max()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} distinct n-grams are too many", num_ids())};
  }
  count(texts, parts);
}

}  // namespace snellen::metrics
