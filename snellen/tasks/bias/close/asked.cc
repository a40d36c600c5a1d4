// SPDX-License-Identifier: Apache-2.0
// Close-ended questions put to a model, which answers in words or scores the options.
#include <fmt/format.h>

#include "snellen/tasks/bias/close/close_task.h"
#include "snellen/tasks/bias/close/letters.h"

namespace snellen::tasks::bias_close {
namespace {

namespace fs = std::filesystem;

class AskedBiasClose : public CloseTask {
 public:
  explicit AskedBiasClose(const TaskRequest& request) : CloseTask(request), questions_(request) {
    parts_ = questions_.subsets();
    chance_ = questions_.chance();
    for (Part& part : parts_) {
      if (part.name.empty() && parts_.size() > 1) part.name = kNoSubset;
    }
  }

  std::vector<fs::path> inputs() const override { return questions_.inputs(); }
  std::vector<std::string> notes() const override { return questions_.notes(); }

  Result<Made> make(uint64_t position) const override {
    Result<AskedQuestion> asked = questions_.asked(position);
    if (!asked) return asked.error();
    Item item;
    item.id = asked->id();
    Result<metrics::CloseRecord> record = record_of(
        asked->question, item.id, fmt::format("question {}", asked->question.id), is_compat());
    if (!record) return record.error();
    ClosePayload payload{.record = std::move(record).value()};
    payload.record.presented = asked->presented;
    item.clusters = {payload.record.image};
    item.category = payload.record.category;
    item.visuals = {questions_.visual(*asked)};
    questions_.ask(*asked, 0, item);
    payload.asked = std::move(asked).value();
    return Made{std::move(item), std::move(payload)};
  }

  Result<Outcome> decide(const ClosePayload& payload,
                         const questions::Scores& scores) const override {
    if (questions_.reply() == Reply::kAnswers) {
      Result<AskedQuestions::Spoken> spoken = questions_.answer(scores, 0);
      if (!spoken) return spoken.error();
      metrics::CloseRecord record = payload.record;
      record.answer = spoken->text;
      return with_details(
          spoken->is_refused ? judged(record, kRefused) : judged(record, spoken->is_cut_off),
          payload);
    }
    Result<ScoredChoice> choice = questions_.choice(*payload.asked, scores, 0);
    if (!choice) return choice.error();
    return with_details(judged(payload.record, *choice), payload);
  }

 private:
  static Outcome with_details(Outcome outcome, const ClosePayload& payload) {
    AskedQuestions::put_details(*payload.asked, outcome.named);
    if (payload.record.label)
      outcome.named.put(kRight, static_cast<int64_t>(*payload.record.label));
    return outcome;
  }

  AskedQuestions questions_;
};

}  // namespace

std::unique_ptr<Task> open_asked(const TaskRequest& request) {
  return std::make_unique<AskedBiasClose>(request);
}

}  // namespace snellen::tasks::bias_close
