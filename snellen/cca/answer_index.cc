// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/answer_index.h"

#include <algorithm>
#include <numeric>

#include "snellen/base/error.h"

namespace snellen::cca {
namespace {

std::vector<bool> asked(const AnswerIndex::Rounds& rounds) {
  std::vector<bool> is_asked(static_cast<size_t>(rounds.questions.rows()));
  for (uint32_t question : rounds.question_of) is_asked.at(question) = true;
  return is_asked;
}

}  // namespace

std::vector<uint32_t> AnswerIndex::Found::best(size_t count) const {
  if (count >= nearest.size()) return ranked;
  std::vector<uint32_t> wanted(nearest.begin(),
                               nearest.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(wanted.begin(), wanted.end());
  std::vector<uint32_t> best;
  std::copy_if(ranked.begin(), ranked.end(), std::back_inserter(best), [&](uint32_t round) {
    return std::binary_search(wanted.begin(), wanted.end(), round);
  });
  return best;
}

AnswerIndex::AnswerIndex(const Projector& questions,
                         const Projector& answers,
                         const Rounds& rounds,
                         unsigned num_threads)
    : question_projector_(questions),
      answer_projector_(answers),
      rounds_(rounds),
      begins_(static_cast<size_t>(rounds.questions.rows()) + 1),
      members_(rounds.question_of.size()),
      neighbours_(questions, rounds.questions, asked(rounds), num_threads) {
  SNELLEN_CHECK(rounds.answer_of.size() == rounds.question_of.size());
  for (uint32_t question : rounds.question_of) ++begins_.at(question + 1);
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<uint64_t> places = begins_;
  for (uint32_t round = 0; round < members_.size(); ++round)
    members_[places[rounds.question_of[round]]++] = round;
}

std::vector<uint32_t> AnswerIndex::nearest_rounds(const std::vector<Neighbour>& neighbours,
                                                  size_t count) const {
  std::vector<uint32_t> rounds;
  for (size_t i = 0; i < neighbours.size() && rounds.size() < count;) {
    // Rounds of all questions that are equally near, by their number; `count` of each are enough.
    std::vector<uint32_t> tied;
    const double cosine = neighbours[i].cosine;
    for (; i < neighbours.size() && neighbours[i].cosine == cosine; ++i) {
      const uint64_t begin = begins_[neighbours[i].row];
      const uint64_t end = std::min<uint64_t>(begins_[neighbours[i].row + 1], begin + count);
      tied.insert(tied.end(),
                  members_.begin() + static_cast<std::ptrdiff_t>(begin),
                  members_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    std::sort(tied.begin(), tied.end());
    tied.resize(std::min(tied.size(), count - rounds.size()));
    rounds.insert(rounds.end(), tied.begin(), tied.end());
  }
  return rounds;
}

void AnswerIndex::rank_answers(const Rows& queries, std::vector<Found>& found) const {
  std::vector<uint32_t> answers;
  for (const Found& one : found)
    for (uint32_t round : one.nearest) answers.push_back(rounds_.answer_of[round]);
  std::sort(answers.begin(), answers.end());
  answers.erase(std::unique(answers.begin(), answers.end()), answers.end());
  Rows rows(static_cast<int64_t>(answers.size()), answer_projector_.width());
  const auto width = static_cast<size_t>(answer_projector_.width());
  for (size_t i = 0; i < answers.size(); ++i)
    rounds_.read_answer(answers[i], {rows.data() + i * width, width});
  const Rows projected = answer_projector_.project(rows);
  for (size_t i = 0; i < found.size(); ++i) {
    struct Ranked {
      double cosine;
      uint32_t round;
    };
    std::vector<Ranked> ranked;
    for (uint32_t round : found[i].nearest) {
      const auto place =
          std::lower_bound(answers.begin(), answers.end(), rounds_.answer_of[round]) -
          answers.begin();
      ranked.push_back(
          {rounded_cosine(cosine(projected.row(place), queries.row(static_cast<int64_t>(i)))),
           round});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
      return a.cosine > b.cosine;
    });
    for (const Ranked& one : ranked) found[i].ranked.push_back(one.round);
  }
}

std::vector<AnswerIndex::Found> AnswerIndex::find(const Eigen::Ref<const Rows>& questions,
                                                  size_t count) const {
  const Rows queries = question_projector_.project(questions);
  std::vector<Found> found;
  for (const std::vector<Neighbour>& neighbours : neighbours_.find(queries, count))
    found.push_back({nearest_rounds(neighbours, count), {}});
  rank_answers(queries, found);
  return found;
}

}  // namespace snellen::cca
