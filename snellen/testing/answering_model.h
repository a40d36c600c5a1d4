// SPDX-License-Identifier: Apache-2.0
// For tests: a model that answers in words without a server.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "snellen/models/model.h"

namespace snellen::models {

// Called `answering`. What it says depends on the prompt and on the name of what is shown.
class AnsweringEntry : public ModelEntry {
 public:
  using Say = std::function<std::string(const std::string& prompt, const std::string& shown)>;
  explicit AnsweringEntry(Say say) : say_(std::move(say)) {}

  const ModelFacts& facts() const override { return facts_; }
  std::unique_ptr<Model> open(const ModelRequest&) const override {
    return std::make_unique<Answering>(say_);
  }

 private:
  class Answering : public Model {
   public:
    explicit Answering(Say say) : say_(std::move(say)) {}
    std::vector<Identity> identity() const override { return {{"answering", "test"}}; }
    Result<questions::Scores> score(const Ask& ask) const override {
      questions::Scores scores;
      for (const questions::Question& question : ask.questions) {
        if (question.wants != questions::Wants::kAnswer) continue;
        const bool shows = question.visual < ask.visuals.size();
        scores.answers.push_back(say_((*ask.texts)[question.texts.front()].prompt,
                                      shows ? ask.visuals[question.visual].name : ""));
      }
      return scores;
    }

   private:
    Say say_;
  };

  Say say_;
  ModelFacts facts_ = {
      .name = "answering", .summary = "answers of a test", .usage = "", .can_answer = true};
};

}  // namespace snellen::models
