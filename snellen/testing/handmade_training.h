// SPDX-License-Identifier: Apache-2.0
// Small samples, tokens and learners for tests.
#pragma once

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/text/tokenizers/tokenizer.h"
#include "snellen/training/data/sample_source.h"
#include "snellen/training/learner.h"

namespace snellen::training::handmade {

// Sample i is a picture of one pixel of value i and the letter 'A' + i; some cannot be read.
class CountingSource final : public SampleSource {
 public:
  explicit CountingSource(uint64_t count, std::set<uint64_t> broken = {})
      : count_(count), broken_(std::move(broken)) {}

  uint64_t size() const override { return count_; }
  Result<Sample> sample(uint64_t, uint64_t index) const override {
    if (broken_.contains(index))
      return Error{ErrorCode::kInvalidInput, "is no picture", fmt::format("picture {}", index)};
    media::Image picture = media::Image::blank(1, 1);
    picture.pixels.assign(3, static_cast<uint8_t>(index));
    return Sample{.pictures = {picture},
                  .texts = {std::string(1, static_cast<char>('A' + index))},
                  .matches = {{0, 0}},
                  .contrasts = {}};
  }
  std::string identity() const override { return "counting"; }

 private:
  uint64_t count_;
  std::set<uint64_t> broken_;
};

// A token a byte.
class LetterTokenizer final : public text::Tokenizer {
 public:
  LetterTokenizer() : Tokenizer(text::TokenizerFacts(), text::TokenFrame()) {}
  std::string_view piece(text::TokenId) const override { return ""; }
  size_t end_id() const override { return 256; }

 protected:
  void append_tokens(std::string_view text,
                     text::TokenizerScratch&,
                     std::vector<text::TokenId>& out) const override {
    for (char c : text) out.push_back(static_cast<unsigned char>(c));
  }
};

// Its one weight is the sum of all pixels it has seen, so the order of batches shows.
class SummingLearner final : public Learner {
 public:
  explicit SummingLearner(uint64_t nan_at = 0) : nan_at_(nan_at) {}

  StepReport step(std::span<const Batch> batches, double) override {
    StepReport report;
    if (nan_at_ != 0 && steps_ + 1 == nan_at_) {
      report.loss = std::numeric_limits<double>::quiet_NaN();
      report.is_finite = false;
      return report;
    }
    ++steps_;
    for (const Batch& batch : batches) {
      for (uint8_t pixel : batch.pixels) weight_ = weight_ * 1.25 + pixel;
    }
    report.loss = weight_;
    return report;
  }
  Evaluation evaluate(const Batch&) override {
    return {.loss = weight_, .matches = {}, .contrasts = {}};
  }
  uint64_t num_parameters() const override { return 1; }
  uint64_t num_steps() const override { return steps_; }
  void write_weights(const std::filesystem::path& file, models::ElementType, bool) const override {
    write_text_file(file, fmt::format("{}", weight_));
  }
  void write_state(const std::filesystem::path& file) const override {
    write_text_file(file, fmt::format("{}", weight_));
  }
  void read_state(const std::filesystem::path& file, uint64_t num_steps) override {
    weight_ = std::stod(read_text_file(file));
    steps_ = num_steps;
  }

 private:
  uint64_t nan_at_;
  uint64_t steps_ = 0;
  double weight_ = 0;
};

}  // namespace snellen::training::handmade
