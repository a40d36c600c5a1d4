// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/cider.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"

namespace snellen::metrics {
namespace {

constexpr size_t kLongestNgram = 64;
constexpr double kScaleOfD = 10.0;

struct Range {
  size_t begin;
  size_t end;
};

Range part_of(size_t total, size_t part, size_t num_parts) {
  return {total * part / num_parts, total * (part + 1) / num_parts};
}

void run_parts(const Parts& parts, const std::function<void(size_t)>& part) {
  if (parts.num_parts > 1 && parts.run) {
    parts.run(parts.num_parts, part);
    return;
  }
  for (size_t i = 0; i < parts.num_parts; ++i) part(i);
}

// Appends each distinct id with its count, sorted by id; `ids` is left sorted.
template <typename Gram>
void append_counts(std::vector<uint32_t>& ids, std::vector<Gram>& out) {
  std::sort(ids.begin(), ids.end());
  for (size_t i = 0; i < ids.size();) {
    size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[i]) ++end;
    out.push_back({ids[i], static_cast<uint32_t>(end - i)});
    i = end;
  }
}

}  // namespace

CiderCorpus::CiderCorpus(const text::StringSets& sets,
                         const CiderOptions& options,
                         const Parts& parts)
    : sets_(sets), options_(options) {
  if (options.n < 1 || options.n > kLongestNgram) {
    throw Error{ErrorCode::kUsage,
                fmt::format("n is {}, expected 1 to {}", options.n, kLongestNgram),
                "--n"};
  }
  count_references();
  count_sets(parts);
  weigh_references(parts);
}

void CiderCorpus::count_references() {
  const text::StringPool& pool = sets_.pool();
  std::vector<uint32_t> words;
  num_words_.reserve(pool.size());
  size_t longest = 0;
  for (uint32_t i = 0; i < pool.size(); ++i) {
    size_t before = words.size();
    text::for_each_word(pool[i], [&](std::string_view word) { words.push_back(words_.add(word)); });
    num_words_.push_back(static_cast<uint32_t>(words.size() - before));
    longest = std::max(longest, words.size() - before);
  }
  num_orders_ = std::min(options_.n, longest);
  ngrams_.start(static_cast<uint32_t>(words_.size()));
  ends_.reserve(pool.size() * num_orders_);
  std::vector<uint32_t> ids;  // of the n-gram that starts at each word, of the order at hand
  std::vector<uint32_t> sorted;
  size_t begin = 0;
  for (size_t length : num_words_) {
    ids.assign(words.begin() + static_cast<ptrdiff_t>(begin),
               words.begin() + static_cast<ptrdiff_t>(begin + length));
    for (size_t order = 1; order <= num_orders_; ++order) {
      if (order > 1) {
        ids.resize(length >= order ? length - order + 1 : 0);
        for (size_t i = 0; i < ids.size(); ++i)
          ids[i] = ngrams_.add(ids[i], words[begin + i + order - 1]);
      }
      sorted = ids;
      append_counts(sorted, grams_);
      ends_.push_back(grams_.size());
    }
    begin += length;
  }
}

void CiderCorpus::count_sets(const Parts& parts) {
  std::vector<std::vector<uint32_t>> counts(parts.num_parts);
  run_parts(parts, [&](size_t part) {
    std::vector<uint32_t>& df = counts[part];
    df.assign(ngrams_.size(), 0);
    std::vector<size_t> last_set(ngrams_.size(), sets_.size());
    Range range = part_of(sets_.size(), part, parts.num_parts);
    for (size_t set = range.begin; set < range.end; ++set) {
      for (uint32_t sentence : sets_.ids(set)) {
        Counted counted = reference(sentence);
        uint64_t end = num_orders_ == 0 ? counted.begin : counted.ends[num_orders_ - 1];
        for (uint64_t i = counted.begin; i < end; ++i) {
          uint32_t id = grams_[i].id;
          df[id] += last_set[id] != set;
          last_set[id] = set;
        }
      }
    }
  });
  full_idf_ = std::log(static_cast<double>(std::max<size_t>(1, sets_.size())));
  idf_.resize(ngrams_.size());
  run_parts(parts, [&](size_t part) {
    Range range = part_of(idf_.size(), part, parts.num_parts);
    for (size_t id = range.begin; id < range.end; ++id) {
      uint64_t df = 0;
      for (const std::vector<uint32_t>& one : counts) df += one[id];
      idf_[id] = full_idf_ - std::log(static_cast<double>(std::max<uint64_t>(1, df)));
    }
  });
}

void CiderCorpus::weigh_references(const Parts& parts) {
  norms_.assign(ends_.size(), 0);
  run_parts(parts, [&](size_t part) {
    Range range = part_of(ends_.size(), part, parts.num_parts);
    for (size_t row = range.begin; row < range.end; ++row) {
      double sum = 0;
      for (uint64_t i = row == 0 ? 0 : ends_[row - 1]; i < ends_[row]; ++i)
        sum += weight(grams_[i]) * weight(grams_[i]);
      norms_[row] = std::sqrt(sum);
    }
  });
}

CiderCorpus::Counted CiderCorpus::reference(uint32_t sentence) const {
  if (num_orders_ == 0) return {};
  size_t row = sentence * num_orders_;
  return {.grams = grams_.data(),
          .begin = row == 0 ? 0 : ends_[row - 1],
          .ends = ends_.data() + row,
          .norms = norms_.data() + row,
          .num_words = num_words_[sentence]};
}

// N-grams that no reference has get numbers of their own, from ngrams_.size() on: they weigh in the
// norm and nowhere else. Equal ones are found by sorting, so a text of any length costs n log n.
class CiderCorpus::Storage {
 public:
  explicit Storage(const CiderCorpus& corpus)
      : corpus_(corpus), next_unseen_(corpus.ngrams_.size()) {}

  Counted count(std::string_view text) {
    text::StringPool unseen;
    std::vector<uint64_t> words;
    text::for_each_word(text, [&](std::string_view word) {
      uint32_t id = corpus_.words_.find(word);
      words.push_back(id != text::StringPool::kAbsent ? id : next_unseen_ + unseen.add(word));
    });
    next_unseen_ += unseen.size();
    std::vector<uint64_t> ids = words;
    for (size_t order = 1; order <= corpus_.num_orders_; ++order) {
      if (order > 1) extend(ids, words, order);
      count_order(ids);
    }
    return {.grams = grams_.data(),
            .begin = 0,
            .ends = ends_.data(),
            .norms = norms_.data(),
            .num_words = words.size()};
  }

 private:
  struct Unseen {
    uint64_t prefix;
    uint64_t word;
    size_t place;
    bool is_same_ngram(const Unseen& other) const {
      return prefix == other.prefix && word == other.word;
    }
  };

  // From the n-grams of one order to those of the next.
  void extend(std::vector<uint64_t>& ids, const std::vector<uint64_t>& words, size_t order) {
    ids.resize(words.size() >= order ? words.size() - order + 1 : 0);
    unseen_.clear();
    uint64_t num_known = corpus_.ngrams_.size();
    for (size_t i = 0; i < ids.size(); ++i) {
      uint64_t word = words[i + order - 1];
      uint32_t id = NgramTable::kAbsent;
      if (ids[i] < num_known && word < num_known) {
        id = corpus_.ngrams_.find(static_cast<uint32_t>(ids[i]), static_cast<uint32_t>(word));
      }
      if (id == NgramTable::kAbsent) unseen_.push_back({ids[i], word, i});
      ids[i] = id;
    }
    std::sort(unseen_.begin(), unseen_.end(), [](const Unseen& a, const Unseen& b) {
      return a.prefix != b.prefix ? a.prefix < b.prefix : a.word < b.word;
    });
    for (size_t i = 0; i < unseen_.size(); ++i) {
      if (i > 0 && !unseen_[i].is_same_ngram(unseen_[i - 1])) ++next_unseen_;
      ids[unseen_[i].place] = next_unseen_;
    }
    next_unseen_ += unseen_.empty() ? 0 : 1;
  }

  void count_order(const std::vector<uint64_t>& ids) {
    sorted_ = ids;
    std::sort(sorted_.begin(), sorted_.end());
    double sum = 0;
    for (size_t i = 0; i < sorted_.size();) {
      size_t end = i + 1;
      while (end < sorted_.size() && sorted_[end] == sorted_[i]) ++end;
      Gram gram{static_cast<uint32_t>(sorted_[i]), static_cast<uint32_t>(end - i)};
      bool is_known = sorted_[i] < corpus_.ngrams_.size();
      double weight = is_known ? corpus_.weight(gram) : gram.count * corpus_.full_idf_;
      if (is_known) grams_.push_back(gram);
      sum += weight * weight;
      i = end;
    }
    ends_.push_back(grams_.size());
    norms_.push_back(std::sqrt(sum));
  }

  const CiderCorpus& corpus_;
  uint64_t next_unseen_;
  std::vector<Gram> grams_;
  std::vector<uint64_t> ends_;
  std::vector<double> norms_;
  std::vector<Unseen> unseen_;
  std::vector<uint64_t> sorted_;
};

std::optional<double> CiderCorpus::agreement(std::span<const Gram> generation,
                                             std::span<const Gram> reference) const {
  bool is_clipped = options_.variant == CiderVariant::kD;
  bool shares_any = false;
  double sum = 0;
  auto ours = generation.begin();
  auto theirs = reference.begin();
  while (ours != generation.end() && theirs != reference.end()) {
    if (ours->id == theirs->id) {
      double weight_of_reference = weight(*theirs);
      double weight_of_generation = weight(*ours);
      if (is_clipped) weight_of_generation = std::min(weight_of_generation, weight_of_reference);
      sum += weight_of_generation * weight_of_reference;
      shares_any = true;
      ++ours;
      ++theirs;
    } else if (ours->id < theirs->id) {
      ++ours;
    } else {
      ++theirs;
    }
  }
  if (!shares_any) return std::nullopt;
  return sum;
}

void CiderCorpus::add_similarity(const Counted& generation,
                                 const Counted& reference,
                                 std::span<double> sums) const {
  double penalty = 1;
  if (options_.variant == CiderVariant::kD) {
    // The published code takes the number of bigrams for the length.
    double delta = static_cast<double>(std::max<size_t>(generation.num_words, 1)) -
                   static_cast<double>(std::max<size_t>(reference.num_words, 1));
    penalty = std::exp(-(delta * delta) / (2 * options_.sigma * options_.sigma));
  }
  for (size_t k = 0; k < num_orders_; ++k) {
    std::optional<double> value = agreement(generation.order(k), reference.order(k));
    // A shared n-gram shares its first n-1 words too, so longer ones need not be looked at.
    if (!value) return;
    if (generation.norms[k] != 0 && reference.norms[k] != 0)
      *value /= generation.norms[k] * reference.norms[k];
    sums[k] += *value * penalty;
  }
}

void CiderCorpus::score(std::string_view generation, size_t set, std::span<double> scores) const {
  SNELLEN_CHECK(scores.size() == options_.n && set < sets_.size() && !sets_.ids(set).empty());
  std::fill(scores.begin(), scores.end(), 0.0);
  Storage storage(*this);
  // Answers repeat: most generations are also a reference of some entry, and those are counted
  // already.
  uint32_t known = sets_.pool().find(generation);
  Counted counted =
      known != text::StringPool::kAbsent ? reference(known) : storage.count(generation);
  for (uint32_t sentence : sets_.ids(set)) add_similarity(counted, reference(sentence), scores);
  double scale = options_.variant == CiderVariant::kD ? kScaleOfD : 1.0;
  double num_references = static_cast<double>(sets_.ids(set).size());
  double sum = 0;
  for (size_t k = 0; k < scores.size(); ++k) {
    sum += scores[k] / num_references;
    scores[k] = scale * sum / static_cast<double>(k + 1);
  }
}

std::vector<double> CiderCorpus::score(std::string_view generation, size_t set) const {
  std::vector<double> scores(options_.n);
  score(generation, set, scores);
  return scores;
}

}  // namespace snellen::metrics
