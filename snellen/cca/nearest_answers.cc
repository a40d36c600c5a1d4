// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/nearest_answers.h"

#include <algorithm>
#include <numeric>

#include "snellen/base/error.h"

namespace snellen::cca {

NearestAnswers::NearestAnswers(const DialogModel& model,
                               const std::filesystem::path& training_dialogs,
                               unsigned num_threads)
    : model_(model),
      training_(training_dialogs),
      questions_(embed(training_.questions(), model.encoder, num_threads)),
      norms_(questions_.rowwise().squaredNorm()) {
  std::vector<std::vector<uint32_t>> of_question(training_.questions().size());
  for (uint32_t i = 0; i < training_.num_rounds(); ++i)
    if (training_.round(i).answer) of_question[training_.round(i).question].push_back(i);
  begins_.push_back(0);
  for (const std::vector<uint32_t>& rounds : of_question) {
    for (const uint32_t round : rounds) {
      rounds_.push_back(round);
      members_.push_back(*training_.round(round).answer);
    }
    begins_.push_back(rounds_.size());
  }
  if (rounds_.empty())
    throw Error{ErrorCode::kInvalidInput, "has no recorded answer", training_dialogs.string()};
}

std::vector<double> NearestAnswers::mean_answer(std::string_view question) const {
  const auto width = static_cast<size_t>(questions_.cols());
  Eigen::RowVectorXd asked(questions_.cols());
  model_.encoder.encode(question, {asked.data(), width});
  const Eigen::VectorXd distances = norms_ - 2 * (questions_ * asked.transpose());
  std::vector<uint32_t> order(static_cast<size_t>(distances.size()));
  std::iota(order.begin(), order.end(), 0U);
  auto is_nearer = [&](uint32_t a, uint32_t b) {
    return distances(a) != distances(b) ? distances(a) < distances(b) : a < b;
  };
  const size_t most = std::min(order.size(), kRounds);
  std::partial_sort(
      order.begin(), order.begin() + static_cast<ptrdiff_t>(most), order.end(), is_nearer);
  // Questions of equal distance are told apart by their rounds.
  std::vector<std::pair<double, uint32_t>> nearest;  // distance and place among the members
  for (size_t i = 0; i < most; ++i)
    for (uint64_t at = begins_[order[i]]; at < begins_[order[i] + 1]; ++at)
      nearest.emplace_back(distances(order[i]), static_cast<uint32_t>(at));
  std::stable_sort(nearest.begin(), nearest.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : rounds_[a.second] < rounds_[b.second];
  });
  if (nearest.size() > kRounds) nearest.resize(kRounds);
  std::vector<double> mean(width), one(width);
  for (const auto& [distance, member] : nearest) {
    model_.encoder.encode(training_.answers()[members_[member]], one);
    for (size_t i = 0; i < width; ++i) mean[i] += one[i] / static_cast<double>(nearest.size());
  }
  return mean;
}

}  // namespace snellen::cca
