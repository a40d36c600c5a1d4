// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/cider.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"

namespace snellen::metrics {
namespace {

constexpr size_t kLongestNgram = 64;
constexpr double kScaleOfD = 10.0;

const CiderOptions& checked(const CiderOptions& options) {
  if (options.n >= 1 && options.n <= kLongestNgram) return options;
  throw Error{
      ErrorCode::kUsage, fmt::format("n is {}, expected 1 to {}", options.n, kLongestNgram), "--n"};
}

}  // namespace

CiderCorpus::CiderCorpus(const text::StringSets& sets,
                         const CiderOptions& options,
                         const Parts& parts)
    : sets_(sets), options_(checked(options)), counts_(sets.pool(), options.n, parts) {
  count_sets(parts);
  weigh_references(parts);
}

void CiderCorpus::count_sets(const Parts& parts) {
  std::vector<std::vector<uint32_t>> counts(parts.num_parts);
  run_parts(parts, [&](size_t part) {
    std::vector<uint32_t>& df = counts[part];
    df.assign(counts_.num_ids(), 0);
    std::vector<uint32_t> last_set(counts_.num_ids(), 0);
    Range range = range_of(sets_.size(), part, parts.num_parts);
    for (size_t set = range.begin; set < range.end; ++set) {
      auto mark = static_cast<uint32_t>(set - range.begin + 1);
      for (uint32_t reference : sets_.ids(set)) {
        for (const Gram& gram : counts_.grams(reference)) {
          df[gram.id] += last_set[gram.id] != mark;
          last_set[gram.id] = mark;
        }
      }
    }
  });
  full_idf_ = std::log(static_cast<double>(std::max<size_t>(1, sets_.size())));
  idf_.resize(counts_.num_ids());
  run_parts(parts, [&](size_t part) {
    Range range = range_of(idf_.size(), part, parts.num_parts);
    for (size_t id = range.begin; id < range.end; ++id) {
      uint64_t df = 0;
      for (const std::vector<uint32_t>& one : counts) df += one[id];
      // Most n-grams are in one set only, and the logarithm is what this loop costs.
      idf_[id] = df <= 1 ? full_idf_ : full_idf_ - std::log(static_cast<double>(df));
    }
  });
}

void CiderCorpus::weigh_references(const Parts& parts) {
  size_t num_references = sets_.pool().size();
  norms_.resize(num_references * options_.n);
  run_parts(parts, [&](size_t part) {
    Range range = range_of(num_references, part, parts.num_parts);
    for (size_t reference = range.begin; reference < range.end; ++reference) {
      for (size_t order = 0; order < options_.n; ++order) {
        double sum = 0;
        for (const Gram& gram : counts_.grams(static_cast<uint32_t>(reference), order))
          sum += weight(gram) * weight(gram);
        norms_[reference * options_.n + order] = std::sqrt(sum);
      }
    }
  });
}

// The counts of a generated text. Answers repeat: many generations are also a reference of some
// entry, and those are counted already. In any other, n-grams that no reference has get numbers of
// their own, above every known one: they weigh in the norm and nowhere else. Equal ones are found
// by sorting, so a text of any length costs n log n.
class CiderCorpus::Generation {
 public:
  Generation(const CiderCorpus& corpus, std::string_view text)
      : corpus_(corpus), known_(corpus.sets_.pool().find(text)) {
    if (known_ == text::StringPool::kAbsent) count(text);
  }

  size_t num_words() const {
    return is_known() ? corpus_.counts_.num_words_of(known_) : words_.size();
  }
  double norm(size_t order) const {
    return is_known() ? corpus_.norm_of(known_, order) : norms_[order];
  }
  std::span<const Gram> grams(size_t order) const {
    if (is_known()) return corpus_.counts_.grams(known_, order);
    size_t begin = order == 0 ? 0 : ends_[order - 1];
    return std::span(grams_).subspan(begin, ends_[order] - begin);
  }

 private:
  static constexpr uint64_t kFirstUnseen = uint64_t{1} << 32;

  struct Unseen {
    uint64_t prefix;
    uint64_t word;
    size_t place;
    bool is_same_ngram(const Unseen& other) const {
      return prefix == other.prefix && word == other.word;
    }
  };

  bool is_known() const { return known_ != text::StringPool::kAbsent; }

  void count(std::string_view text) {
    text::StringPool unseen;
    text::for_each_word(text, [&](std::string_view word) {
      uint32_t number = corpus_.counts_.words().find(word);
      words_.push_back(number != text::StringPool::kAbsent ? number
                                                           : kFirstUnseen + unseen.add(word));
    });
    next_unseen_ = kFirstUnseen + unseen.size();
    std::vector<uint64_t> numbers = words_;
    for (size_t order = 0; order < corpus_.options_.n; ++order) {
      if (order > 0) extend(numbers, order);
      count_order(numbers);
    }
  }

  // From the n-grams of one order to those of the next.
  void extend(std::vector<uint64_t>& numbers, size_t order) {
    numbers.resize(words_.size() > order ? words_.size() - order : 0);
    unseen_.clear();
    for (size_t i = 0; i < numbers.size(); ++i) {
      uint64_t prefix = numbers[i];
      uint64_t word = words_[i + order];
      numbers[i] = NgramTable::kAbsent;
      if (prefix < kFirstUnseen && word < kFirstUnseen) {
        numbers[i] = corpus_.counts_.ngrams().find(static_cast<uint32_t>(prefix),
                                                   static_cast<uint32_t>(word));
      }
      if (numbers[i] == NgramTable::kAbsent) unseen_.push_back({prefix, word, i});
    }
    std::sort(unseen_.begin(), unseen_.end(), [](const Unseen& a, const Unseen& b) {
      return a.prefix != b.prefix ? a.prefix < b.prefix : a.word < b.word;
    });
    for (size_t i = 0; i < unseen_.size(); ++i) {
      if (i > 0 && !unseen_[i].is_same_ngram(unseen_[i - 1])) ++next_unseen_;
      numbers[unseen_[i].place] = next_unseen_;
    }
    ++next_unseen_;
  }

  void count_order(const std::vector<uint64_t>& numbers) {
    sorted_ = numbers;
    std::sort(sorted_.begin(), sorted_.end());
    double sum = 0;
    for (size_t i = 0; i < sorted_.size();) {
      size_t end = i + 1;
      while (end < sorted_.size() && sorted_[end] == sorted_[i]) ++end;
      auto count = static_cast<uint32_t>(end - i);
      double weight = count * corpus_.full_idf_;
      if (sorted_[i] < kFirstUnseen) {
        grams_.push_back({corpus_.counts_.id_of(static_cast<uint32_t>(sorted_[i])), count});
        weight = corpus_.weight(grams_.back());
      }
      sum += weight * weight;
      i = end;
    }
    ends_.push_back(grams_.size());
    norms_.push_back(std::sqrt(sum));
  }

  const CiderCorpus& corpus_;
  uint32_t known_;
  uint64_t next_unseen_ = kFirstUnseen;
  std::vector<uint64_t> words_;
  std::vector<Gram> grams_;
  std::vector<size_t> ends_;
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

void CiderCorpus::add_similarity(const Generation& generation,
                                 uint32_t reference,
                                 std::span<double> sums) const {
  for (size_t order = 0; order < options_.n; ++order) {
    std::optional<double> value =
        agreement(generation.grams(order), counts_.grams(reference, order));
    // A shared n-gram shares its first n-1 words too, so longer ones need not be looked at.
    if (!value) return;
    double norms = generation.norm(order) * norm_of(reference, order);
    if (norms != 0) *value /= norms;
    if (options_.variant == CiderVariant::kD) {
      // The published code takes the number of bigrams for the length.
      double delta = static_cast<double>(std::max<size_t>(generation.num_words(), 1)) -
                     static_cast<double>(std::max<size_t>(counts_.num_words_of(reference), 1));
      *value *= std::exp(-(delta * delta) / (2 * options_.sigma * options_.sigma));
    }
    sums[order] += *value;
  }
}

void CiderCorpus::score(std::string_view generation, size_t set, std::span<double> scores) const {
  SNELLEN_CHECK(scores.size() == options_.n && set < sets_.size() && !sets_.ids(set).empty());
  std::fill(scores.begin(), scores.end(), 0.0);
  Generation counted(*this, generation);
  for (uint32_t reference : sets_.ids(set)) add_similarity(counted, reference, scores);
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
