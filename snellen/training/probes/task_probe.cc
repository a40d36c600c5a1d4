// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/task_probe.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "snellen/training/probes/picture_key.h"

namespace snellen::training {
namespace {

class TaskProbe final : public ProbeSource {
 public:
  TaskProbe(std::unique_ptr<const tasks::Task> task,
            std::string where,
            const media::ImageProcessor& processor)
      : task_(std::move(task)), where_(std::move(where)), processor_(processor) {
    for (const tasks::Part& part : task_->parts()) size_ += part.num_items;
  }

  uint64_t size() const override { return size_; }

  Result<ProbeQuestion> question(uint64_t index) const override {
    Result<tasks::Item> read = task_->item(index);
    if (!read) return read.error();
    const auto item = std::make_shared<const tasks::Item>(std::move(read).value());
    ProbeQuestion question = {.probes = {task_->name()},
                              .cluster = item->clusters.front(),
                              .pictures = {},
                              .texts = {},
                              .asked = {},
                              .chance = std::nullopt,
                              .judge = {}};
    if (!item->category.empty())
      question.probes.push_back(fmt::format("{}/{}", task_->name(), item->category));
    for (const questions::Text& text : item->texts) question.texts.push_back(text.prompt);
    const std::vector<questions::Pair> pairs = questions::pairs_of(item->questions);
    if (pairs.size() == 2 && item->right.size() == 1) question.chance = 0.5;
    for (const questions::Visual& visual : item->visuals) {
      const Result<media::VisualPlace> place = visual.place();
      if (!place) return place.error();
      if (place->clip)
        return Error{ErrorCode::kInvalidInput,
                     "shows a clip, and only pictures are asked about here",
                     fmt::format("{}: item {}", where_, item->id)};
      question.pictures.push_back(picture_key(*place));
      const std::lock_guard lock(mutex_);
      places_.try_emplace(question.pictures.back(), *place);
    }
    for (const questions::Pair& pair : pairs) question.asked.push_back({pair.visual, pair.text});
    question.judge = [this, item](std::span<const double> scores) -> Result<Verdict> {
      return judged(*item, {.values = {scores.begin(), scores.end()}});
    };
    return question;
  }

  Result<media::Image> picture(const std::string& key) const override {
    std::unique_lock lock(mutex_);
    const media::VisualPlace place = places_.at(key);
    lock.unlock();
    return read_picture(place, processor_);
  }

 private:
  Result<Verdict> judged(const tasks::Item& item, const questions::Scores& scores) const {
    const Result<tasks::Outcome> outcome = task_->judge(item, scores);
    if (!outcome) return outcome.error();
    if (!outcome->is_correct)
      return Error{ErrorCode::kInvalidInput,
                   "its metric has no right and wrong",
                   fmt::format("{}: item {}", where_, item.id),
                   "take pairwise, choice or winoground (docs/your-own-task.md)"};
    if (*outcome->is_correct) return Verdict::kRight;
    return outcome->tied_columns != 0 ? Verdict::kTied : Verdict::kWrong;
  }

  std::unique_ptr<const tasks::Task> task_;
  std::string where_;
  const media::ImageProcessor& processor_;
  uint64_t size_ = 0;
  mutable std::mutex mutex_;  // guards places_
  mutable std::map<std::string, media::VisualPlace> places_;
};

}  // namespace

std::unique_ptr<ProbeSource> task_probe(std::unique_ptr<const tasks::Task> task,
                                        std::string where,
                                        const media::ImageProcessor& processor) {
  return std::make_unique<TaskProbe>(std::move(task), std::move(where), processor);
}

}  // namespace snellen::training
