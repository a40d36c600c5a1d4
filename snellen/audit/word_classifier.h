// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/audit/text_choice.h"

namespace snellen::audit {

// A logistic regression over bags of words that learns which text of a choice is right, one model
// for each fold that has seen all folds but its own. Words are hashed into a fixed number of
// weights, items come one at a time, so that memory does not grow with the data set. Steps are
// AdaGrad's, in the order of the items: the same items and seed give the same weights.
class WordClassifier {
 public:
  static constexpr uint32_t kFolds = 5;
  static constexpr uint32_t kPasses = 5;  // over all items

  explicit WordClassifier(uint64_t seed);

  // Items that share a picture are in one fold.
  uint32_t fold_of(std::string_view picture) const;
  // For the models of all other folds.
  void learn(const TextChoice& choice, uint32_t fold);
  // By the model that has not seen the fold: one for each text, the higher the more like a right
  // one.
  std::vector<double> scores(const TextChoice& choice, uint32_t fold) const;

 private:
  struct Weight {
    double value = 0;
    double squares = 0;  // of its gradients
  };
  using Bag = std::vector<uint32_t>;  // places of its words
  static Bag bag_of(std::string_view text);
  double score(const Bag& bag, uint32_t fold) const;
  void step(const Bag& right, const Bag& wrong, uint32_t fold);

  uint64_t seed_;
  std::vector<std::vector<Weight>> weights_;  // by fold
};

}  // namespace snellen::audit
