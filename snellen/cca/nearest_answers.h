// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/cca/dialog_model.h"

namespace snellen::cca {

// The nearest-neighbour baseline (docs/spec/visdial.md 5.8), on vectors of texts as they are,
// without the fit. Const methods are safe from many threads.
class NearestAnswers {
 public:
  static constexpr size_t kRounds = 100;
  static constexpr size_t kRoundsByPicture = 20;

  // `model` must outlive this; its encoder alone is used. `training_features` are those of the
  // training pictures (image_features()); empty: pictures are not compared.
  NearestAnswers(const DialogModel& model,
                 const std::filesystem::path& training_dialogs,
                 const std::filesystem::path& training_features,
                 unsigned num_threads);

  // The length of a picture's features; 0 where pictures are not compared.
  int64_t feature_width() const { return features_.cols(); }

  // The mean vector of the recorded answers of the training rounds whose questions are nearest
  // (Euclidean, its square to nine decimals; of equal ones the earlier round). One that has no
  // vector is at zero. With the features of the question's picture only those of the rounds whose
  // pictures are nearest count.
  std::vector<double> mean_answer(std::string_view question,
                                  std::span<const double> picture = {}) const;

 private:
  // A distance, and a place among the members.
  using Near = std::pair<double, uint32_t>;
  std::vector<Near> nearest_by_question(std::string_view question) const;
  // Nearest first, of equal ones the earlier round; no more than `count`.
  void keep_nearest(std::vector<Near>& rounds, size_t count) const;

  const DialogModel& model_;
  annotations::DialogFile training_;
  Rows questions_;                 // distinct
  Eigen::VectorXd norms_;          // squared
  Rows features_;                  // of pictures, by dialog
  std::vector<uint32_t> asked_;    // questions that have rounds; a file may list others
  std::vector<uint64_t> begins_;   // of each question's rounds in members_
  std::vector<uint32_t> members_;  // ids of answers, rounds ascending within a question
  std::vector<uint32_t> rounds_;   // the round of each member
};

}  // namespace snellen::cca
