// SPDX-License-Identifier: Apache-2.0
// Ladders of answers that were given elsewhere; the catalogue entry.
#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/bias/entry.h"
#include "snellen/tasks/control/ladder_task.h"

namespace snellen::tasks::control {
namespace {

namespace fs = std::filesystem;

// With --claim, a claim that does not hold is the exit code.
TaskReport report_claim(const ReportRequest& request) {
  constexpr int kUnmet = 5;
  TaskReport report;
  if (!request.options.get<ControlSettings>().asserts_claim) return report;
  for (const metrics::Measurement& one : request.metrics) {
    if (one.id == "control/claim_holds" && one.value != 1.0) {
      report.problem = "the claim " + one.reason;
      report.exit_code = kUnmet;
    }
  }
  return report;
}

class AnsweredControl : public LadderTask {
 public:
  explicit AnsweredControl(const TaskRequest& request) : LadderTask(request) {
    const auto& settings = request.options.get<ControlSettings>();
    annotations::TableFile file = open_answers(request.options);
    std::optional<QuestionFile> questions = QuestionFile::open(request.options);
    inputs_.push_back(file.path());
    if (questions) inputs_.push_back(questions->path());
    ControlAnswers answers = read_control_answers(
        file,
        questions,
        levels_from_flags(settings.levels, settings.sigmas),
        {.rule = answer_rule(request.options, request.is_compat),
         .is_rule_asked = request.options.is_set("parser") || request.is_compat,
         .stops_early = settings.stops_early});
    levels_ = std::move(answers.levels);
    slots_ = std::move(answers.slots);
  }

  std::vector<Part> parts() const override { return {{"", slots_.size()}}; }
  std::vector<fs::path> inputs() const override { return inputs_; }

  Result<Made> make(uint64_t position) const override {
    const LadderSlot& slot = slots_.at(position);
    if (!slot.ladder) return *slot.error;
    Item item;
    item.id = slot.id;
    item.clusters = {slot.ladder->item.image.empty() ? slot.id : slot.ladder->item.image};
    item.category = slot.ladder->item.category;
    return Made{std::move(item), {.ladder = &*slot.ladder}};
  }

  Result<Outcome> decide(const LadderPayload& payload, const questions::Scores&) const override {
    return judged(*payload.ladder);
  }

 private:
  std::vector<LadderSlot> slots_;
  std::vector<fs::path> inputs_;
};

TaskFacts facts() {
  return {.name = "control",
          .summary = "does it say it cannot know when the picture is noise?",
          .paper = "blind-image control of arXiv 2406.14194",
          .data = "close-ended questions, or answers over the levels of noise, brought by the user",
          .settings = {answer_block(), question_block(), control_block()},
          .reads_results = true,
          .parts = {},
          .columns = columns_for({"clean", "e2", "e3", "e4"}),
          .report = report_claim,
          .images = "vlbias"};
}

}  // namespace
}  // namespace snellen::tasks::control

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_control();
std::unique_ptr<TaskEntry> make_control() {
  return std::make_unique<ChosenTaskEntry>(
      control::facts(), [](const TaskRequest& request) -> std::unique_ptr<Task> {
        if (is_asked(request)) return control::open_asked(request);
        return std::make_unique<control::AnsweredControl>(request);
      });
}

}  // namespace snellen::tasks
