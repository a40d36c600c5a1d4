// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/meteor.h"

namespace snellen::metrics::meteor {
namespace {

struct WordCounts {
  double content = 0;
  double function = 0;
};

WordCounts count(const Line& line, uint32_t start, uint32_t length, const WordCache& words) {
  WordCounts counts;
  for (uint32_t i = start; i < start + length; ++i) {
    (words[line.words[i]].is_function ? counts.function : counts.content) += 1;
  }
  return counts;
}

// A new chunk begins after a gap in the reference, or where the hypothesis does not go on.
double count_chunks(std::span<const Match> alignment) {
  double chunks = 0;
  const Match* previous = nullptr;
  for (const Match& match : alignment) {
    bool goes_on =
        previous != nullptr &&
        previous->reference_start + previous->reference_length == match.reference_start &&
        previous->hypothesis_start + previous->hypothesis_length == match.hypothesis_start;
    if (!goes_on) chunks += 1;
    previous = &match;
  }
  return chunks;
}

}  // namespace

Scratch::Scratch(const Meteor& meteor) : data_(meteor.data_), lines_(meteor.data_) {}

Meteor::Meteor(std::shared_ptr<const text::meteor::MeteorData> data, Parameters parameters)
    : data_(std::move(data)), parameters_(parameters) {
  SNELLEN_CHECK(data_ != nullptr);
}

std::string_view Meteor::normalize(std::string_view text, Scratch& scratch) const {
  return scratch.lines_.normalizer().normalize(text);
}

Statistics Meteor::compare(const Line& hypothesis, const Line& reference, Scratch& scratch) const {
  WordCache& words = scratch.lines_.words();
  scratch.matches_.find(
      hypothesis, reference, words, data_->paraphrases ? &*data_->paraphrases : nullptr);
  std::span<const Match> alignment =
      scratch.search_.align(scratch.matches_, hypothesis.size(), reference.size());
  Statistics statistics;
  statistics.hypothesis_words = static_cast<double>(hypothesis.size());
  statistics.reference_words = static_cast<double>(reference.size());
  statistics.hypothesis_function_words = hypothesis.num_function_words;
  statistics.reference_function_words = reference.num_function_words;
  for (const Match& match : alignment) {
    ModuleCounts& module = statistics.modules[static_cast<size_t>(match.module)];
    WordCounts in_hypothesis =
        count(hypothesis, match.hypothesis_start, match.hypothesis_length, words);
    WordCounts in_reference =
        count(reference, match.reference_start, match.reference_length, words);
    module.hypothesis_content += in_hypothesis.content;
    module.hypothesis_function += in_hypothesis.function;
    module.reference_content += in_reference.content;
    module.reference_function += in_reference.function;
    statistics.hypothesis_matched += match.hypothesis_length;
    statistics.reference_matched += match.reference_length;
  }
  statistics.chunks = count_chunks(alignment);
  return statistics;
}

template <typename Text>
Segment Meteor::score_all(std::string_view hypothesis,
                          std::span<const Text> references,
                          Scratch& scratch) const {
  SNELLEN_CHECK(scratch.data_ == data_ && !references.empty());
  scratch.lines_.forget_if_full();
  const Line& line = scratch.lines_.hypothesis(hypothesis);
  Segment best;
  for (size_t i = 0; i < references.size(); ++i) {
    Statistics statistics = compare(line, scratch.lines_.reference(references[i]), scratch);
    Score score = score_of(statistics, parameters_);
    if (i == 0 || score.score > best.score.score) best = {statistics, score, i};
  }
  return best;
}

Segment Meteor::score(std::string_view hypothesis,
                      std::span<const std::string_view> references,
                      Scratch& scratch) const {
  return score_all(hypothesis, references, scratch);
}

Segment Meteor::score(std::string_view hypothesis,
                      std::span<const std::string> references,
                      Scratch& scratch) const {
  return score_all(hypothesis, references, scratch);
}

}  // namespace snellen::metrics::meteor
