// SPDX-License-Identifier: Apache-2.0
// Stories that were told elsewhere; the catalogue entry.
#include <fmt/format.h>

#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/bias/entry.h"
#include "snellen/tasks/bias/open/open_task.h"

namespace snellen::tasks::bias_open {
namespace {

namespace fs = std::filesystem;
using annotations::OpenRow;
using annotations::TableFile;
using annotations::TableRow;

std::optional<TableFile> open_questions(const AnswerSettings& settings) {
  if (settings.questions.empty()) return std::nullopt;
  return TableFile(settings.questions);
}

class AnsweredBiasOpen : public OpenTask {
 public:
  explicit AnsweredBiasOpen(const TaskRequest& request)
      : OpenTask(request),
        file_(open_answers(request.options)),
        questions_(open_questions(request.options.get<AnswerSettings>())) {
    if (questions_ && questions_->size() < file_.size()) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("has {} answers for {} questions", file_.size(), questions_->size()),
                  file_.path().string(),
                  "answers and --questions are joined by place: give the questions they were made "
                  "from"};
    }
  }

  std::vector<Part> parts() const override {
    return {{"", questions_ ? questions_->size() : file_.size()}};
  }
  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> inputs = {file_.path()};
    if (questions_) inputs.push_back(questions_->path());
    inputs.insert(inputs.end(), score_inputs().begin(), score_inputs().end());
    return inputs;
  }

  Result<Made> make(uint64_t position) const override {
    Result<OpenRow> record = read(position);
    if (!record) return record.error();
    Item item = item_of(*record);
    return Made{std::move(item), record_of(std::move(record).value())};
  }

  Result<Outcome> decide(const metrics::OpenRecord& record,
                         const questions::Scores&) const override {
    return judged(record);
  }

 private:
  // The answer at a place and its label; with --questions the label is that of the question there.
  Result<OpenRow> read(uint64_t position) const {
    if (!questions_) {
      TableRow row = file_.row(position);
      if (!row.failed() && !has_answer(row)) row.fail("'answer' is missing");
      return annotations::read_open_row(row);
    }
    TableRow question_row = questions_->row(position);
    Result<OpenRow> question = annotations::read_open_row(question_row);
    if (!question) return question.error();
    const OpenRow& asked = *question;
    OpenRow record{.id = asked.id, .label = asked.label};
    if (position >= file_.size()) return record;
    TableRow row = file_.row(position);
    if (row.failed()) return row.error();
    if (!has_answer(row)) row.fail("'answer' is missing");
    std::optional<std::string> id = row.text("id");
    if (id && question_row.has("id") && *id != record.id)
      row.fail(fmt::format("answers id {}, but the question here has id {}", *id, record.id));
    std::optional<std::string> answer = row.text_of({"answer", "raw", "response", "prediction"});
    if (row.failed()) return row.error();
    if (answer) record.answer.emplace(std::move(*answer));
    return record;
  }

  TableFile file_;
  std::optional<TableFile> questions_;
};

TaskFacts facts() {
  return {.name = "bias-open",
          .summary = "does the tone of its stories depend on the group shown?",
          .paper = "arXiv 2406.14194",
          .data = "VLBiasBench open-ended prompts, or answers to them, brought by the user",
          .settings = {answer_block(), open_block()},
          .reads_results = true,
          .parts = {},
          .columns = {{.name = "VADER", .has_breakdown = true},
                      {.name = "subjectivity", .has_breakdown = true},
                      {.name = "gender_polarity", .has_breakdown = true}},
          .images = "vlbias"};
}

}  // namespace
}  // namespace snellen::tasks::bias_open

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_bias_open();
std::unique_ptr<TaskEntry> make_bias_open() {
  return std::make_unique<ChosenTaskEntry>(
      bias_open::facts(), [](const TaskRequest& request) -> std::unique_ptr<Task> {
        if (is_asked(request)) return bias_open::open_asked(request);
        return std::make_unique<bias_open::AnsweredBiasOpen>(request);
      });
}

}  // namespace snellen::tasks
