// SPDX-License-Identifier: Apache-2.0
// Naming what a picture shows without having been trained on its classes (docs/spec/probe.md 7.5):
// how a dual encoder is watched for drift.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/zeroshot/set.h"

namespace snellen::tasks::zeroshot {
namespace {

namespace fs = std::filesystem;

constexpr size_t kStored = 5;

ZeroshotSet set_of(const TaskRequest& request) {
  const auto& shared = request.options.get<SharedSettings>();
  return zeroshot_set(request.options.get<ZeroshotSettings>(),
                      shared.images.empty() ? shared.data : shared.images);
}

struct Asked {
  std::vector<uint32_t> right;  // classes, ascending
};

class ZeroshotTask final : public TypedTask<Asked> {
 public:
  explicit ZeroshotTask(const TaskRequest& request)
      : settings_(request.options.get<ZeroshotSettings>()),
        set_(set_of(request)),
        root_(request.options.get<SharedSettings>().images),
        ties_(ties_flag(request.options).value_or(metrics::Ties::kWrong)),
        all_(set_.classes.size()) {
    const std::vector<std::string> templates =
        settings_.templates.empty() ? kZeroshotTemplates : read_templates(settings_.templates);
    auto texts = std::make_shared<questions::Texts::List>();
    for (const std::string& name : set_.classes) {
      std::vector<std::string> prompts = zeroshot_prompts(name, templates);
      questions::Text text{.prompt = std::move(prompts.front()), .is_ensemble = true};
      text.more_prompts.assign(std::make_move_iterator(prompts.begin() + 1),
                               std::make_move_iterator(prompts.end()));
      texts->push_back(std::move(text));
    }
    texts_ = std::move(texts);
    std::iota(all_.begin(), all_.end(), 0U);
  }

  std::vector<Part> parts() const override { return {{"", set_.pictures.size()}}; }
  std::vector<Column> columns() const override {
    const bool is_share = ties_ != metrics::Ties::kHalf;
    return {{.name = "top1", .is_share = is_share}, {.name = "top5", .is_share = is_share}};
  }
  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> files;
    for (const std::string& one : {settings_.instances,
                                   settings_.classes,
                                   settings_.ground_truth,
                                   settings_.mapping,
                                   settings_.templates}) {
      if (!one.empty()) files.emplace_back(one);
    }
    return files;
  }
  // Folders of pictures have no file that lists them.
  std::string content() const override {
    std::string list;
    for (const ZeroshotPicture& picture : set_.pictures) (list += id_of(picture)) += '\n';
    for (const std::string& name : set_.classes) (list += name) += '\n';
    return sha256_hex(list);
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (const Error& error : set_.bad_records)
      notes.push_back(fmt::format("left out: {}", error.what()));
    return notes;
  }

 protected:
  Result<Made> make(uint64_t position) const override {
    const ZeroshotPicture& picture = set_.pictures.at(position);
    Item item;
    item.id = id_of(picture);
    item.clusters = {item.id};
    item.visuals = {{.name = item.id, .source = media::VisualPlace{.path = picture.file}}};
    item.texts = questions::Texts(texts_);
    item.questions = {{.visual = 0, .texts = all_}};
    return Made{std::move(item), {picture.right}};
  }

  Result<Outcome> decide(const Asked& asked, const questions::Scores& scores) const override {
    const std::vector<double>& values = scores.values;
    if (values.size() != set_.classes.size())
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("has {} scores for {} classes", values.size(), set_.classes.size())};
    auto is_right = [&](uint32_t one) {
      return std::binary_search(asked.right.begin(), asked.right.end(), one);
    };
    double best_right = values[asked.right.front()];
    for (const uint32_t one : asked.right) best_right = std::max(best_right, values[one]);
    uint64_t above = 0, tied = 0;  // wrong classes
    double best_wrong = -std::numeric_limits<double>::infinity();
    for (const uint32_t one : all_) {
      if (is_right(one)) continue;
      best_wrong = std::max(best_wrong, values[one]);
      above += values[one] > best_right ? 1 : 0;
      tied += values[one] == best_right ? 1 : 0;
    }
    Outcome outcome;
    for (const uint64_t places : {uint64_t{1}, uint64_t{5}}) {
      const bool holds = above + tied < places, holds_with_ties = above < places;
      if (holds != holds_with_ties) outcome.tied_columns |= uint64_t{1} << outcome.values.size();
      outcome.values.push_back(metrics::credit_of(holds, holds_with_ties, ties_));
    }
    outcome.is_correct = above + tied == 0;
    if (std::isfinite(best_wrong)) outcome.margin = best_right - best_wrong;
    const std::vector<uint32_t> best = best_of(values);
    outcome.stored_scores = best;
    for (const uint32_t one : asked.right) {
      if (std::find(best.begin(), best.end(), one) == best.end())
        outcome.stored_scores->push_back(one);
    }
    std::vector<double> best_values;
    for (const uint32_t one : best) best_values.push_back(values[one]);
    outcome.named.put("right", names_of(asked.right));
    outcome.named.put("named", names_of(best));
    outcome.named.put("scores", std::move(best_values));
    outcome.named.put("rank", static_cast<int64_t>(above + tied + 1));
    outcome.named.put("is_tied", tied > 0);
    return outcome;
  }

 private:
  // Its place below the folder of images.
  std::string id_of(const ZeroshotPicture& picture) const {
    const fs::path below = picture.file.lexically_relative(root_);
    return below.empty() || below.native().starts_with("..") ? picture.file.string()
                                                             : below.string();
  }
  // The highest scores first, equal ones by number.
  std::vector<uint32_t> best_of(const std::vector<double>& values) const {
    std::vector<uint32_t> best(std::min(kStored, all_.size()));
    std::partial_sort_copy(
        all_.begin(), all_.end(), best.begin(), best.end(), [&](uint32_t a, uint32_t b) {
          return values[a] != values[b] ? values[a] > values[b] : a < b;
        });
    return best;
  }
  std::vector<std::string> names_of(const std::vector<uint32_t>& classes) const {
    std::vector<std::string> names;
    for (const uint32_t one : classes) names.push_back(set_.classes[one]);
    return names;
  }

  ZeroshotSettings settings_;
  ZeroshotSet set_;
  fs::path root_;
  metrics::Ties ties_;
  std::vector<uint32_t> all_;  // classes
  std::shared_ptr<const questions::Texts::List> texts_;
};

TaskFacts facts() {
  return {
      .name = "zeroshot",
      .summary = "can the model name what a picture shows? top-1 and top-5 accuracy",
      .paper = "arXiv 2103.00020",
      .data = "a folder of images with one folder per class, or images of a COCO instances file",
      .settings = {config::Block(ZeroshotSettings{}, zeroshot_options())},
      .columns = {{.name = "top1", .is_share = true}, {.name = "top5", .is_share = true}}};
}

}  // namespace
}  // namespace snellen::tasks::zeroshot

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_zeroshot();
std::unique_ptr<TaskEntry> make_zeroshot() {
  return task_entry<zeroshot::ZeroshotTask>(zeroshot::facts());
}

}  // namespace snellen::tasks
