// SPDX-License-Identifier: Apache-2.0
// The blind-image control put to a model: every question with the picture at every level of noise
// (docs/spec/bias.md 1.5).
#include <algorithm>

#include <fmt/format.h>

#include "snellen/media/corruptions/corruption.h"
#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/control/ladder_task.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/text/answers/answer_parser_presented.h"

namespace snellen::tasks::control {
namespace {

namespace fs = std::filesystem;
using metrics::LadderAnswer;

const char* const kClean = "clean";

// What is done to the picture at a level: the control's own noise where --sigmas says how much.
std::string corruption_of_level(const std::string& name, double sigma) {
  if (name == kClean) return {};
  const Result<media::Corruption> known = media::corruption_of(name);
  if (!known && sigma == 0) throw known.error().within("--levels");
  if (!known || (sigma > 0 && known->facts().name != "gauss") ||
      (sigma > 0 && known->parameter() != sigma)) {
    throw Error{ErrorCode::kUsage,
                fmt::format("level '{}' is not noise of sigma {}", name.substr(0, 40), sigma),
                "--levels",
                "name levels as clean,e2,s250,pure or give --sigmas alone"};
  }
  if (known->facts().shows == media::Shows::kPixels ||
      known->facts().shows == media::Shows::kNothing)
    return known->name();
  throw Error{ErrorCode::kUsage,
              fmt::format("level '{}' shows something else than the picture", name.substr(0, 40)),
              "--levels",
              "take one that changes pixels, or none: snellen list corruptions"};
}

class AskedControl : public LadderTask {
 public:
  explicit AskedControl(const TaskRequest& request)
      : LadderTask(request),
        questions_(request),
        rule_(answer_rule(request.options, request.is_compat)),
        seed_(request.options.get<SharedSettings>().seed) {
    const auto& settings = request.options.get<ControlSettings>();
    chance_ = questions_.unknown_chance();
    num_replicates_ = settings.num_replicates;
    stops_early_ = settings.stops_early;
    std::optional<Levels> levels = levels_from_flags(settings.levels, settings.sigmas);
    levels_ = levels ? *levels : *levels_from_flags({kClean, "e2", "e3", "e4"}, {});
    for (size_t level = 0; level < levels_.names.size(); ++level)
      corruptions_.push_back(corruption_of_level(levels_.names[level], levels_.sigmas[level]));
  }

  std::vector<Part> parts() const override { return {{"", questions_.size() * num_replicates_}}; }
  std::vector<fs::path> inputs() const override { return questions_.inputs(); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = questions_.notes();
    if (stops_early_)
      notes.emplace_back(
          "--early-stop: all levels were asked together, and answers after the first C count as C");
    return notes;
  }

  Result<Made> make(uint64_t position) const override {
    Result<AskedQuestion> asked = questions_.asked(position / num_replicates_);
    if (!asked) return asked.error();
    LadderPayload payload{.asked = std::move(asked).value(),
                          .replicate = static_cast<uint32_t>(position % num_replicates_)};
    const annotations::CloseRow& question = payload.asked->question;
    Item item;
    item.id = question.id + repeat_suffix(payload.replicate, payload.asked->order);
    item.clusters = {question.image.empty() ? item.id : question.image};
    item.category = question.category;
    const questions::Visual picture = questions_.visual(*payload.asked);
    for (size_t level = 0; level < levels_.names.size(); ++level) {
      item.visuals.push_back(at_level(picture, level, payload.replicate));
      questions_.ask(*payload.asked, static_cast<uint32_t>(level), item);
    }
    return Made{std::move(item), std::move(payload)};
  }

  Result<Outcome> decide(const LadderPayload& payload,
                         const questions::Scores& scores) const override {
    const AskedQuestion& asked = *payload.asked;
    Ladder ladder{.item = {.id = asked.question.id,
                           .image = asked.question.image,
                           .category = asked.question.category,
                           .condition = asked.question.condition,
                           .subset = asked.question.subset,
                           .replicate = payload.replicate,
                           .order = asked.order},
                  .is_asked = {}};
    std::vector<double> leads;
    bool has_stopped = false;
    for (size_t level = 0; level < levels_.names.size(); ++level) {
      Result<text::ParsedAnswer> parsed = parsed_at(asked, scores, level, leads);
      if (!parsed) return parsed.error();
      LadderAnswer answer = metrics::ladder_answer(*parsed, asked.question.unknown);
      if (has_stopped) answer = LadderAnswer{.answer = metrics::AnswerClass::kC};
      ladder.item.answers.push_back(answer);
      // The clean picture is asked about once for all replicates.
      const bool is_own = payload.replicate == 0 || !corruptions_[level].empty();
      ladder.is_asked.push_back(is_own && !has_stopped);
      has_stopped = stops_early_ && answer.answer == metrics::AnswerClass::kC;
    }
    Outcome outcome = judged(ladder, /*is_nested=*/true);
    put_answers(ladder.item, asked, outcome.named);
    if (!leads.empty()) outcome.named.put(kLeads, leads);
    return outcome;
  }

 private:
  // The fields of answers.jsonl (docs/spec/bias.md 3.5): a list has a value per answer.
  void put_answers(const metrics::LadderItem& item,
                   const AskedQuestion& asked,
                   NamedValues& named) const {
    AskedQuestions::put_details(asked, named);
    named.put("replicate", item.replicate);
    named.put("condition", item.condition);
    named.put("subset", item.subset);
    named.put("level", levels_.names);
    std::vector<std::string> classes;
    for (const LadderAnswer& one : item.answers)
      classes.emplace_back(1, metrics::letter_of(one.answer));
    named.put("class", std::move(classes));
  }

  questions::Visual at_level(const questions::Visual& picture,
                             size_t level,
                             uint32_t replicate) const {
    questions::Visual shown = picture;
    auto* place = std::get_if<media::VisualPlace>(&shown.source);
    if (corruptions_[level].empty() || place == nullptr) return shown;
    shown.group = picture.name;
    shown.name = fmt::format("{}\t{}", picture.name, corruptions_[level]);
    if (replicate > 0) shown.name += fmt::format("\tr={}", replicate);
    place->corruption = media::PlacedCorruption{.name = corruptions_[level],
                                                .seed = seed_,
                                                .image_id = place->path.stem().string(),
                                                .replicate = replicate};
    return shown;
  }

  Result<text::ParsedAnswer> parsed_at(const AskedQuestion& asked,
                                       const questions::Scores& scores,
                                       size_t level,
                                       std::vector<double>& leads) const {
    if (questions_.reply() == Reply::kAnswers) {
      Result<AskedQuestions::Spoken> spoken = questions_.answer(scores, level);
      if (!spoken) return spoken.error();
      if (spoken->is_refused) return kRefused;
      return text::parse_presented(
                 rule_,
                 spoken->text,
                 {.texts = asked.question.options, .unknown = asked.question.unknown},
                 asked.presented)
          .parsed;
    }
    Result<ScoredChoice> choice = questions_.choice(asked, scores, level);
    if (!choice) return choice.error();
    leads.push_back(choice->lead);
    return choice->parsed;
  }

  AskedQuestions questions_;
  text::AnswerRule rule_;
  uint64_t seed_;
  uint32_t num_replicates_ = 1;
  bool stops_early_ = false;
  std::vector<std::string> corruptions_;  // of each level; empty for clean
};

}  // namespace

std::unique_ptr<Task> open_asked(const TaskRequest& request) {
  return std::make_unique<AskedControl>(request);
}

}  // namespace snellen::tasks::control
