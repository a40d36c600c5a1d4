// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/task_probe.h"

#include <fmt/format.h>

namespace snellen::training {
namespace {

class TaskProbe final : public ProbeSource {
 public:
  TaskProbe(std::unique_ptr<const tasks::Task> task, std::string where)
      : task_(std::move(task)), where_(std::move(where)) {
    for (const tasks::Part& part : task_->parts()) size_ += part.num_items;
  }

  uint64_t size() const override { return size_; }

  Result<ProbeQuestion> question(uint64_t index) const override {
    Result<tasks::Item> read = task_->item(index);
    if (!read) return read.error();
    const auto item = std::make_shared<const tasks::Item>(std::move(read).value());
    ProbeQuestion question{.probes = {task_->name()},
                           .cluster = item->clusters.front(),
                           .visuals = item->visuals,
                           .texts = item->texts,
                           .questions = item->questions};
    if (!item->category.empty())
      question.probes.push_back(fmt::format("{}/{}", task_->name(), item->category));
    if (questions::pairs_of(item->questions).size() == 2 && item->right.size() == 1)
      question.chance = 0.5;
    question.judge = [this, item](const questions::Scores& scores) {
      return judged(*item, scores);
    };
    return question;
  }

 private:
  Result<Verdict> judged(const tasks::Item& item, const questions::Scores& scores) const {
    const Result<tasks::Outcome> outcome = task_->judge(item, scores);
    if (!outcome) return outcome.error();
    if (!outcome->is_correct)
      return Error{ErrorCode::kInvalidInput,
                   "its metric has no right and wrong",
                   fmt::format("{}: item {}", where_, item.id),
                   "use pairwise, choice or winoground (docs/your-own-task.md)"};
    if (*outcome->is_correct) return Verdict::kRight;
    return outcome->tied_columns != 0 ? Verdict::kTied : Verdict::kWrong;
  }

  std::unique_ptr<const tasks::Task> task_;
  std::string where_;
  uint64_t size_ = 0;
};

}  // namespace

std::unique_ptr<ProbeSource> task_probe(std::unique_ptr<const tasks::Task> task,
                                        std::string where) {
  return std::make_unique<TaskProbe>(std::move(task), std::move(where));
}

}  // namespace snellen::training
