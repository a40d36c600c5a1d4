// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/relcomp/task.h"

#include <fmt/format.h>

#include "snellen/annotations/record.h"
#include "snellen/base/json_object.h"
#include "snellen/metrics/choice/winoground.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::relcomp {

namespace fs = std::filesystem;

config::Block settings_block() {
  return {RelCompSettings{},
          {config::option(&RelCompSettings::genome_images,
                          "genome-images",
                          "folder of Visual Genome's images (default: --root-image-dir)")
               .identity(false)
               .value("DIR")}};
}

annotations::RelCompFile open_samples(const config::Options& options) {
  return annotations::RelCompFile(options.get<SharedSettings>().data / "relcomp_val.jsonl");
}

namespace {

struct Group {};

// The compositional samples, judged as Probe-C's groups.
class RelComp : public TypedTask<Group> {
 public:
  explicit RelComp(const TaskRequest& request)
      : file_(open_samples(request.options)),
        images_(request.options.get<SharedSettings>().images, {"train2014"}),
        ties_(ties_flag(request.options).value_or(metrics::Ties::kWrong)) {}

  std::vector<Part> parts() const override { return {{"", file_.num_compositions()}}; }
  std::vector<Column> columns() const override {
    return columns_of(metrics::winoground_columns(), ties_);
  }
  std::vector<fs::path> inputs() const override { return {file_.file().path()}; }

  // {"sample": 0, "scores": [[f11, f12], [f21, f22]]}
  Result<ScoreLine> read_score_line(std::string_view line) const override {
    annotations::Record record(line, "");
    std::string item = std::to_string(record.integer("sample"));
    if (record.failed()) return record.error();
    std::vector<std::vector<double>> rows = record.rows("scores", 2);
    if (!record.failed() && rows.size() != 2)
      record.fail(fmt::format("'scores' has {} rows, expected 2", rows.size()));
    if (record.failed()) return ScoreLine{item, record.error()};
    return ScoreLine{item, std::vector<double>{rows[0][0], rows[0][1], rows[1][0], rows[1][1]}};
  }

  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override {
    SNELLEN_CHECK(scores.size() == 4);
    return json_object(
               {{"sample", JsonText{item.id}},
                {"scores",
                 std::vector<std::vector<double>>{{scores[0], scores[1]}, {scores[2], scores[3]}}}})
        .text;
  }

 protected:
  Result<Made> make(uint64_t position) const override {
    Result<annotations::RelCompComposition> sample = file_.composition(position);
    if (!sample) return sample.error();
    Item item;
    item.id = std::to_string(position);
    item.category = sample->source;
    for (int64_t id : sample->images) {
      item.clusters.push_back(std::to_string(id));
      item.visuals.push_back(images_.visual(fmt::format("COCO_train2014_{:012d}.jpg", id)));
    }
    item.texts = {{sample->prompts[0]}, {sample->prompts[1]}};
    item.questions = {{.visual = 0, .texts = {0, 1}}, {.visual = 1, .texts = {0, 1}}};
    item.right = {{0, 0}, {1, 1}};
    return Made{std::move(item), {}};
  }

  Result<Outcome> decide(const Group&, const questions::Scores& scores) const override {
    const std::vector<double>& f = scores.values;
    if (f.size() != 4) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("has {} scores, expected 2 x 2", f.size())};
    }
    return outcome_of(metrics::judge_winoground(
        {{{f[0], f[1]}, {f[2], f[3]}}}, ties_, scores.kind == questions::ScoreKind::kChoice));
  }

 private:
  annotations::RelCompFile file_;
  ImageFolder images_;
  metrics::Ties ties_;
};

TaskFacts facts() {
  return {.name = "relcomp",
          .summary = "the RelComp score: attribute and noun on held-out training photos",
          .paper = "arXiv 2304.03659, table 3",
          .data = "relcomp_val.jsonl of `snellen build relcomp` and COCO train2014 (CC BY 4.0)",
          .columns = columns_of(metrics::winoground_columns(), metrics::Ties::kWrong),
          .metric = "winoground"};
}

}  // namespace
}  // namespace snellen::tasks::relcomp

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_relcomp();
std::unique_ptr<TaskEntry> make_relcomp() {
  return task_entry<relcomp::RelComp>(relcomp::facts());
}

}  // namespace snellen::tasks
