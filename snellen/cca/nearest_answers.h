// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/cca/dialog_model.h"

namespace snellen::cca {

// The nearest-neighbour baseline (docs/spec/visdial.md 5.8), on vectors of texts as they are,
// without the fit and without pictures. Const methods are safe from many threads.
class NearestAnswers {
 public:
  static constexpr size_t kRounds = 100;

  // `model` must outlive this; its encoder alone is used.
  NearestAnswers(const DialogModel& model,
                 const std::filesystem::path& training_dialogs,
                 unsigned num_threads);

  // The mean vector of the recorded answers of the training rounds whose questions are nearest
  // (Euclidean, its square to nine decimals; of equal ones the earlier round). One that has no
  // vector is at zero.
  std::vector<double> mean_answer(std::string_view question) const;

 private:
  const DialogModel& model_;
  annotations::DialogFile training_;
  Rows questions_;                 // distinct
  Eigen::VectorXd norms_;          // squared
  std::vector<uint32_t> asked_;    // questions that have rounds; a file may list others
  std::vector<uint64_t> begins_;   // of each question's rounds in members_
  std::vector<uint32_t> members_;  // ids of answers, rounds ascending within a question
  std::vector<uint32_t> rounds_;   // the round of each member
};

}  // namespace snellen::cca
