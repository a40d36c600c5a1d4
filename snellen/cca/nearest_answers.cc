// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/nearest_answers.h"

#include <algorithm>
#include <utility>

#include "snellen/base/error.h"

namespace snellen::cca {

NearestAnswers::NearestAnswers(const DialogModel& model,
                               const std::filesystem::path& training_dialogs,
                               const std::filesystem::path& training_features,
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
    if (!rounds.empty()) asked_.push_back(static_cast<uint32_t>(begins_.size() - 1));
    for (const uint32_t round : rounds) {
      rounds_.push_back(round);
      members_.push_back(*training_.round(round).answer);
    }
    begins_.push_back(rounds_.size());
  }
  if (rounds_.empty())
    throw Error{ErrorCode::kInvalidInput, "has no recorded answer", training_dialogs.string()};
  if (!training_features.empty()) features_ = image_features(training_features, training_);
}

std::vector<NearestAnswers::Near> NearestAnswers::nearest_by_question(
    std::string_view question) const {
  Eigen::RowVectorXd asked(questions_.cols());
  model_.encoder.encode(question, {asked.data(), static_cast<size_t>(asked.size())});
  // Squared; rounded, so that questions of the same words are equally far whatever their order.
  const Eigen::VectorXd distances =
      ((norms_ - 2 * (questions_ * asked.transpose())).array() + asked.squaredNorm())
          .unaryExpr(&rounded_cosine);
  std::vector<double> sorted;
  for (const uint32_t id : asked_) sorted.push_back(distances(id));
  // Each was asked in a round at least, so as many questions suffice, with all that are as far.
  const auto last = sorted.begin() + static_cast<ptrdiff_t>(std::min(sorted.size(), kRounds)) - 1;
  std::nth_element(sorted.begin(), last, sorted.end());
  std::vector<Near> nearest;
  for (const uint32_t id : asked_) {
    if (distances(id) > *last) continue;
    for (uint64_t at = begins_[id]; at < begins_[id + 1]; ++at)
      nearest.emplace_back(distances(id), static_cast<uint32_t>(at));
  }
  keep_nearest(nearest, kRounds);
  return nearest;
}

void NearestAnswers::keep_nearest(std::vector<Near>& rounds, size_t count) const {
  std::sort(rounds.begin(), rounds.end(), [&](const Near& a, const Near& b) {
    return a.first != b.first ? a.first < b.first : rounds_[a.second] < rounds_[b.second];
  });
  if (rounds.size() > count) rounds.resize(count);
}

std::vector<double> NearestAnswers::mean_answer(std::string_view question,
                                                std::span<const double> picture) const {
  std::vector<Near> nearest = nearest_by_question(question);
  if (!picture.empty()) {
    SNELLEN_CHECK(static_cast<int64_t>(picture.size()) == features_.cols());
    const Eigen::Map<const Eigen::RowVectorXd> own(picture.data(), features_.cols());
    for (auto& [distance, member] : nearest) {
      const auto dialog = static_cast<int64_t>(training_.dialog_of(rounds_[member]));
      distance = rounded_cosine((features_.row(dialog) - own).squaredNorm());
    }
    keep_nearest(nearest, kRoundsByPicture);
  }
  const auto width = static_cast<size_t>(questions_.cols());
  std::vector<double> mean(width), one(width);
  for (const auto& [distance, member] : nearest) {
    model_.encoder.encode(training_.answers()[members_[member]], one);
    for (size_t i = 0; i < width; ++i) mean[i] += one[i] / static_cast<double>(nearest.size());
  }
  return mean;
}

}  // namespace snellen::cca
