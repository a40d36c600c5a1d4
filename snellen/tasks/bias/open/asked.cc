// SPDX-License-Identifier: Apache-2.0
// Open-ended prompts put to a model that answers in words (docs/spec/bias.md 2.3).
#include <fmt/format.h>

#include "snellen/annotations/bias/vlbias.h"
#include "snellen/annotations/table_file.h"
#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/bias/open/open_task.h"
#include "snellen/tasks/bias/reply.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks::bias_open {
namespace {

namespace fs = std::filesystem;
using annotations::OpenRow;
using annotations::TableFile;
using annotations::TableRow;

TableFile open_prompts(const config::Options& options) {
  const fs::path& named = options.get<AnswerSettings>().questions;
  if (!named.empty()) return TableFile(named);
  const fs::path& root = options.get<SharedSettings>().data;
  const std::string& type = options.get<OpenSettings>().type;
  const fs::path file = annotations::open_annotation_file(root, type);
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return TableFile(file);
  throw Error{ErrorCode::kNotFound,
              fmt::format("there are no open-ended prompts of type '{}'", type.substr(0, 80)),
              file.string(),
              "name VLBiasBench's folder with --data, and one of its types with --type"};
}

class AskedBiasOpen : public OpenTask {
 public:
  explicit AskedBiasOpen(const TaskRequest& request)
      : OpenTask(request),
        prompts_(open_prompts(request.options)),
        images_(image_folder(request.options)) {
    if (prompts_.size() == 0)
      throw Error{ErrorCode::kNothingScored, "holds no prompt", prompts_.path().string()};
  }

  std::vector<Part> parts() const override { return {{"", prompts_.size()}}; }
  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> inputs = {prompts_.path()};
    inputs.insert(inputs.end(), score_inputs().begin(), score_inputs().end());
    return inputs;
  }

  Result<Made> make(uint64_t position) const override {
    TableRow row = prompts_.row(position);
    Result<OpenRow> prompt = annotations::read_open_row(row);
    if (!prompt) return prompt.error();
    if (prompt->instruction.empty()) {
      row.fail("'instruction' is missing: the text that is asked");
      return row.error();
    }
    Item item = item_of(*prompt);
    if (!prompt->image.empty()) item.visuals = {images_.visual(prompt->image)};
    item.texts.push_back({prompt->instruction});
    item.questions = {{.visual = 0, .texts = {0}, .wants = questions::Wants::kAnswer}};
    return Made{std::move(item), record_of(std::move(prompt).value())};
  }

  Result<Outcome> decide(const metrics::OpenRecord& record,
                         const questions::Scores& scores) const override {
    // The record may come with the answer of another model: only this one's counts.
    metrics::OpenRecord answered{.id = record.id, .label = record.label};
    if (!scores.answers.empty()) answered.answer.emplace(scores.answers.front());
    return judged(answered);
  }

 private:
  // Pictures are named relative to the data set's folder.
  static fs::path image_folder(const config::Options& options) {
    const auto& shared = options.get<SharedSettings>();
    return shared.images.empty() ? shared.data : shared.images;
  }

  TableFile prompts_;
  ImageFolder images_;
};

}  // namespace

std::unique_ptr<Task> open_asked(const TaskRequest& request) {
  if (reply_of(request) != Reply::kAnswers)
    throw Error{ErrorCode::kUsage,
                "bias-open asks for stories, and this model gives scores",
                "--model",
                "take a model that answers in words, for example --model openai:NAME"};
  return std::make_unique<AskedBiasOpen>(request);
}

}  // namespace snellen::tasks::bias_open
