// SPDX-License-Identifier: Apache-2.0
// What some text encoders offer beside vectors, for the steps of builders that ask a language
// model.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "snellen/models/network.h"

namespace snellen::models {

// A network whose encoder() is one of these has heads. Const methods are safe from many threads.
class TextHeads {
 public:
  virtual ~TextHeads() = default;

  // Whether the checkpoint has a head that predicts tokens (masked language models).
  virtual bool predicts_tokens() const = 0;
  // One row: log p of every token of the vocabulary at a place of the text. Needs that head.
  virtual Matrix token_log_probabilities(const TokenIds& text, size_t place) const = 0;
  // For each token of the text its own log p at its place, with nothing masked. Needs that head.
  virtual std::vector<double> own_log_probabilities(const TokenIds& text) const = 0;

  // What a classification head tells apart, as its config names them; empty without one.
  virtual std::span<const std::string> classes() const = 0;
  // [texts, classes]. Needs that head.
  virtual Matrix class_logits(std::span<const TokenIds> texts) const = 0;
};

}  // namespace snellen::models
