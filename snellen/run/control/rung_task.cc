// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/rung_task.h"

#include <utility>

namespace snellen::run {
namespace {

class RungTask final : public tasks::Task {
 public:
  RungTask(std::shared_ptr<const tasks::Task> task,
           const Rung& rung,
           uint64_t seed,
           std::optional<OtherPictures> others)
      : task_(std::move(task)), rung_(rung), seed_(seed), others_(std::move(others)) {}

  std::string name() const override { return task_->name(); }
  std::vector<tasks::Part> parts() const override { return task_->parts(); }
  std::vector<tasks::Column> columns() const override { return task_->columns(); }
  std::vector<std::filesystem::path> inputs() const override { return task_->inputs(); }
  std::string content() const override { return task_->content(); }
  Result<tasks::Outcome> judge(const tasks::Item& item,
                               const questions::Scores& scores) const override {
    return task_->judge(item, scores);
  }
  std::vector<metrics::Measurement> pooled(tasks::OutcomeReader& outcomes,
                                           const tasks::PooledOptions& options) const override {
    return task_->pooled(outcomes, options);
  }

  Result<tasks::Item> item(uint64_t position) const override {
    Result<tasks::Item> made = task_->item(position);
    if (!made) return made;
    tasks::Item item = std::move(made).value();
    if (others_) {
      show_others(position, item);
    } else {
      for (questions::Visual& visual : item.visuals) corrupt(visual);
    }
    return item;
  }

 private:
  // A picture comes with its own name, since names tell pictures of a task apart, and stays in the
  // group that it stands in for, so that items keep their shard.
  void show_others(uint64_t position, tasks::Item& item) const {
    const std::optional<uint64_t> other = others_->shown_at(position, item);
    if (!other) return;
    const Result<tasks::Item> shown = task_->item(*other);
    if (!shown || shown->visuals.empty()) return;
    for (size_t i = 0; i < item.visuals.size(); ++i) {
      const questions::Visual& other_visual = shown->visuals[i % shown->visuals.size()];
      questions::Visual& visual = item.visuals[i];
      visual.group = std::string(visual.shard_key());
      visual.name = other_visual.name;
      visual.source = other_visual.source;
    }
  }

  void corrupt(questions::Visual& visual) const {
    auto* place = std::get_if<media::VisualPlace>(&visual.source);
    if (place == nullptr) return;
    if (rung_.corruption.facts().shows == media::Shows::kNothing)
      *place = {.path = std::move(place->path)};
    place->first_corruption = std::move(place->corruption);
    place->corruption =
        media::PlacedCorruption{.name = rung_.name(), .seed = seed_, .image_id = visual.name};
  }

  std::shared_ptr<const tasks::Task> task_;
  Rung rung_;
  uint64_t seed_;
  std::optional<OtherPictures> others_;
};

}  // namespace

std::shared_ptr<const tasks::Task> under_control(std::shared_ptr<const tasks::Task> task,
                                                 const Rung& rung,
                                                 uint64_t seed,
                                                 std::optional<OtherPictures> others) {
  return std::make_shared<RungTask>(std::move(task), rung, seed, std::move(others));
}

}  // namespace snellen::run
