// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "snellen/inference/backend.h"
#include "snellen/models/similarity.h"

namespace snellen::inference {

// A backend whose scores are made of a visual's row and a text's row.
class TwoRowsBackend : public Backend {
 public:
  explicit TwoRowsBackend(const models::Similarity& similarity) : similarity_(similarity) {}

  void make_visual_ready(std::span<float> row) const override {
    models::make_ready(row, similarity_.image_vectors, similarity_);
  }
  void make_text_ready(std::span<float> row) const override {
    models::make_ready(row, 1, similarity_);
  }
  double score(std::span<const float> visual, std::span<const float> text) const override {
    return models::score_of(visual, text, similarity_);
  }

 protected:
  const models::Similarity& similarity() const { return similarity_; }

 private:
  models::Similarity similarity_;
};

}  // namespace snellen::inference
