// SPDX-License-Identifier: Apache-2.0
// A chat model has no score for each candidate: it chooses among the recorded answer and a few
// others of the round, by letter. A measure of its own, beside ranks.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/base/rng.h"
#include "snellen/tasks/dialog_prompt.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/visdial_rank/settings.h"
#include "snellen/text/answers/answer_parser.h"

namespace snellen::tasks::visdial_rank {
namespace {

struct Choice {
  std::vector<std::string> options;  // in the order shown
  size_t given = 0;                  // the recorded one's place
};

// The recorded answer and others of the round, each text once, drawn and shuffled.
Result<Choice> draw_choice(const annotations::DialogFile& dialogs,
                           size_t round,
                           size_t num_choices,
                           Rng rng) {
  const size_t dialog = dialogs.dialog_of(round);
  const uint32_t given = *dialogs.round(round).answer;
  std::vector<uint32_t> others;
  std::unordered_set<uint32_t> seen = {given};
  const std::vector<std::vector<uint32_t>> candidates = dialogs.candidates(dialog);
  for (const uint32_t one : candidates[round - dialogs.first_round(dialog)])
    if (seen.insert(one).second) others.push_back(one);
  if (others.size() + 1 < num_choices)
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("has {} different candidates beside the recorded answer, {} are needed",
                    others.size(),
                    num_choices - 1)};
  rng.shuffle(std::span(others));
  others.resize(num_choices - 1);
  others.push_back(given);
  rng.shuffle(std::span(others));
  Choice choice;
  for (size_t i = 0; i < others.size(); ++i) {
    if (others[i] == given) choice.given = i;
    choice.options.emplace_back(dialogs.answers()[others[i]]);
  }
  return choice;
}

std::string prompt_of(const annotations::DialogFile& dialogs, size_t round, const Choice& choice) {
  std::string prompt = dialog_before(dialogs, round);
  prompt += fmt::format("Question: {}\nWhich answer belongs to the last question?\n",
                        dialogs.questions()[dialogs.round(round).question]);
  for (size_t i = 0; i < choice.options.size(); ++i)
    prompt += fmt::format("{}. {}\n", static_cast<char>('A' + i), choice.options[i]);
  return prompt + "Answer with one letter.";
}

class VisdialChoice final : public TypedTask<Choice> {
 public:
  explicit VisdialChoice(const TaskRequest& request)
      : settings_(settings_of(request.options)),
        images_(request.options.get<SharedSettings>().images),
        rng_(Rng(request.options.get<SharedSettings>().seed).fork("visdial-choice")),
        dialogs_(settings_.dialogs) {
    for (size_t i = 0; i < dialogs_.num_rounds(); ++i)
      if (dialogs_.round(i).has_candidates && dialogs_.round(i).answer) rounds_.push_back(i);
    if (rounds_.empty())
      throw Error{ErrorCode::kInvalidInput,
                  "has no round with candidates and a recorded answer",
                  settings_.dialogs.string()};
  }

  std::vector<Part> parts() const override { return {{"", rounds_.size()}}; }
  std::vector<Column> columns() const override {
    return {{.name = "chosen", .is_share = true, .chance = 1.0 / settings_.num_choices},
            {.name = "unreadable", .is_share = true, .higher_is_better = false}};
  }
  std::vector<std::filesystem::path> inputs() const override { return {settings_.dialogs}; }

 protected:
  Result<Made> make(uint64_t position) const override {
    const size_t round = rounds_.at(position);
    const annotations::DialogKey key = dialogs_.key(round);
    Item item;
    item.id = fmt::format("{}/{}", key.image_id, key.round_id);
    item.clusters = {std::to_string(key.image_id)};
    Result<Choice> choice = draw_choice(dialogs_, round, settings_.num_choices, rng_.fork(item.id));
    if (!choice)
      return choice.error().within(fmt::format(
          "{}: image {}, round {}", settings_.dialogs.string(), key.image_id, key.round_id));
    item.visuals = {images_.visual(dialogs_.image_name(dialogs_.dialog_of(round)))};
    item.texts.push_back({prompt_of(dialogs_, round, *choice)});
    item.questions = {{.visual = 0, .texts = {0}, .wants = questions::Wants::kAnswer}};
    return Made{std::move(item), std::move(choice).value()};
  }

  Result<Outcome> decide(const Choice& choice, const questions::Scores& scores) const override {
    if (scores.answers.size() != 1)
      return Error{ErrorCode::kUsage,
                   "the model gives no answers",
                   "--choices",
                   "leave it out to rank candidates by their scores, or take a served model"};
    const text::ParsedAnswer parsed =
        text::parse_answer(scores.answers[0], {.texts = choice.options, .unknown = {}});
    const bool is_right = parsed.index == choice.given;
    Outcome outcome;
    outcome.values = {is_right ? 1.0 : 0.0, parsed.index ? 0.0 : 1.0};
    outcome.is_correct = is_right;
    outcome.named.put("options", choice.options);
    outcome.named.put("given", static_cast<int64_t>(choice.given));
    outcome.named.put("status", std::string(text::name_of(parsed.status)));
    if (parsed.index) outcome.named.put("chosen", static_cast<int64_t>(*parsed.index));
    return outcome;
  }

 private:
  RankSettings settings_;
  ImageFolder images_;
  Rng rng_;
  annotations::DialogFile dialogs_;
  std::vector<size_t> rounds_;
};

}  // namespace

std::unique_ptr<Task> open_choice(const TaskRequest& request) {
  return std::make_unique<VisdialChoice>(request);
}

}  // namespace snellen::tasks::visdial_rank
