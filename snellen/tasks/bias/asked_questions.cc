// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/asked_questions.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "snellen/metrics/bias/close_ended.h"
#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {
namespace {

namespace fs = std::filesystem;
using annotations::CloseQuestions;
using annotations::CloseRow;

CloseQuestions open_questions(const config::Options& options) {
  const fs::path& file = options.get<AnswerSettings>().questions;
  if (!file.empty()) return CloseQuestions::of_file(file);
  return CloseQuestions::of_vlbias(options.get<SharedSettings>().data);
}

// Where the user says, else where the questions say, else beside the file.
fs::path image_folder(const config::Options& options, const CloseQuestions& questions) {
  const fs::path& named = options.get<SharedSettings>().images;
  if (!named.empty()) return named;
  if (!questions.images().empty()) return questions.images();
  const fs::path folder = options.get<AnswerSettings>().questions.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

PromptStyle style_of(const TaskRequest& request) {
  if (request.is_compat && !request.options.is_set("prompt")) return PromptStyle::kVlbias;
  return request.options.get<QuestionSettings>().prompt;
}

}  // namespace

std::string AskedQuestion::id() const {
  return question.id + repeat_suffix(0, order);
}

AskedQuestions::AskedQuestions(const TaskRequest& request)
    : all_(open_questions(request.options)),
      images_(image_folder(request.options, all_)),
      reply_(reply_of(request)),
      style_(style_of(request)) {
  const auto& settings = request.options.get<QuestionSettings>();
  offers_unknown_always_ = settings.offers_unknown_always;
  const SelectedQuestions selected =
      select_questions(all_, settings, request.options.get<SharedSettings>().seed);
  size_t num_readable = 0;
  for (const SelectedQuestions::One& one : selected.questions) {
    const std::string& subset = selected.subsets[one.subset];
    if (subsets_.empty() || subsets_.back().name != subset) {
      subsets_.push_back({subset, 0});
      chance_.begin_part();
    }
    // A record that cannot be read is asked for, so that it fails where everybody sees it.
    const Result<CloseRow> question = all_.question(one.number);
    const uint32_t count = question ? num_orders(*question, one.number, settings.num_orders) : 1;
    subsets_.back().num_items += count;
    for (uint32_t order = 0; order < count; ++order) slots_.push_back({one.number, order});
    if (!question) continue;
    const std::vector<size_t> shown = presented(*question, one.number, 0);
    chance_.add(shown.size(), count);
    const bool offers_unknown =
        question->unknown && std::ranges::find(shown, *question->unknown) != shown.end();
    if (offers_unknown) unknown_chance_ += count / static_cast<double>(shown.size());
    num_readable += count;
  }
  if (num_readable > 0) unknown_chance_ /= static_cast<double>(num_readable);
}

uint32_t AskedQuestions::num_orders(const CloseRow& question,
                                    size_t number,
                                    uint32_t wanted) const {
  // Texts that are compared with a picture hold one option each: they have no order.
  if (reply_ == Reply::kSimilarities) return 1;
  const size_t count = presented(question, number, 0).size();
  return static_cast<uint32_t>(std::min<uint64_t>(wanted, num_option_orders(count)));
}

std::vector<size_t> AskedQuestions::presented(const CloseRow& question,
                                              size_t number,
                                              uint32_t order) const {
  std::vector<size_t> first(question.options.size());
  for (size_t i = 0; i < first.size(); ++i) first[i] = i;
  // The published loader knows three options, the unknown one last.
  if (style_ == PromptStyle::kVlbias && first.size() == 3 && question.unknown == 2)
    first = release_order(number,
                          all_.ambiguous_before()[number],
                          question.condition == "ambig",
                          offers_unknown_always_);
  std::vector<size_t> shown;
  for (const size_t place : option_order(first.size(), order)) shown.push_back(first[place]);
  return shown;
}

Result<AskedQuestion> AskedQuestions::asked(size_t place) const {
  const auto [number, order] = slots_.at(place);
  Result<CloseRow> question = all_.question(number);
  if (!question) return question.error();
  AskedQuestion asked{.question = std::move(question).value(), .presented = {}, .order = order};
  asked.presented = presented(asked.question, number, asked.order);
  return asked;
}

questions::Visual AskedQuestions::visual(const AskedQuestion& asked) const {
  if (!asked.question.image.empty()) return images_.visual(asked.question.image);
  return questions::unplaced("",
                             {ErrorCode::kInvalidInput,
                              "the question names no picture",
                              fmt::format("question {}", asked.question.id),
                              "name it in 'image'"});
}

std::vector<std::string> AskedQuestions::texts_of(const AskedQuestion& asked) const {
  const CloseRow& question = asked.question;
  if (reply_ == Reply::kAnswers) return {close_prompt(style_, question, asked.presented)};
  std::vector<std::string> texts;
  const std::string prompt = close_prompt(style_, question, asked.presented);
  for (size_t place = 0; place < asked.presented.size(); ++place) {
    const size_t option = asked.presented[place];
    if (reply_ == Reply::kSimilarities) {
      texts.push_back(option_text(question, option));
    } else if (style_ == PromptStyle::kVlbias) {
      texts.push_back(fmt::format("{} {}", prompt, question.options[option]));
    } else {
      texts.push_back(fmt::format("{} {}", prompt, option_letter(place)));
    }
  }
  return texts;
}

void AskedQuestions::ask(const AskedQuestion& asked, uint32_t visual, Item& item) const {
  if (item.texts.size() == 0) {
    for (std::string& text : texts_of(asked)) item.texts.push_back({std::move(text)});
  }
  questions::Question question{.visual = visual};
  for (uint32_t i = 0; i < item.texts.size(); ++i) question.texts.push_back(i);
  if (reply_ == Reply::kAnswers) question.wants = questions::Wants::kAnswer;
  item.questions.push_back(std::move(question));
}

Result<AskedQuestions::Spoken> AskedQuestions::answer(const questions::Scores& scores,
                                                      size_t place) const {
  if (place < scores.answers.size()) {
    const questions::AnswerFacts facts =
        place < scores.answer_facts.size() ? scores.answer_facts[place] : questions::AnswerFacts{};
    return Spoken{.text = scores.answers[place],
                  .is_refused = facts.is_refused,
                  .is_cut_off = facts.finish_reason == "length"};
  }
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format(
          "the model gave {} answers, expected at least {}", scores.answers.size(), place + 1),
      "",
      "ask a model that answers in words"};
}

const char* AskedQuestions::rule_name() const {
  return reply_ == Reply::kLikelihoods ? "likelihood" : kBySimilarity;
}

Result<ScoredChoice> AskedQuestions::choice(const AskedQuestion& asked,
                                            const questions::Scores& scores,
                                            size_t place) const {
  const size_t count = asked.presented.size();
  if (scores.values.size() < (place + 1) * count) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("has {} scores, expected {}", scores.values.size(), (place + 1) * count),
        "",
        "the model must score every option"};
  }
  constexpr double kLeast = -std::numeric_limits<double>::infinity();
  std::vector<double> by_option(asked.question.options.size(), kLeast);
  for (size_t i = 0; i < count; ++i)
    by_option[asked.presented[i]] = scores.values[place * count + i];
  const auto best =
      std::max_element(by_option.begin(), by_option.end());  // the first of equal ones
  const auto chosen = static_cast<size_t>(best - by_option.begin());
  auto best_other = [&](size_t than) {
    double other = kLeast;
    for (size_t i = 0; i < by_option.size(); ++i) {
      if (i != than) other = std::max(other, by_option[i]);
    }
    return other;
  };
  ScoredChoice choice{
      .parsed = {.status = text::AnswerStatus::kParsed, .index = chosen, .rule = rule_name()}};
  const double second = best_other(chosen);
  choice.lead = second == kLeast ? 0 : *best - second;
  choice.is_tied = second == *best;
  const std::optional<size_t> label = metrics::label_or_default(
      asked.question.label, asked.question.condition, asked.question.unknown);
  if (label && by_option[*label] != kLeast && count > 1)
    choice.label_lead = by_option[*label] - best_other(*label);
  return choice;
}

void AskedQuestions::put_details(const AskedQuestion& asked, NamedValues& named) {
  named.put("id", asked.question.id);
  named.put("order", static_cast<int64_t>(asked.order));
  named.put(kPresented, std::vector<int64_t>(asked.presented.begin(), asked.presented.end()));
}

std::vector<std::string> AskedQuestions::notes() const {
  std::vector<std::string> notes;
  if (reply_ == Reply::kSimilarities)
    notes.emplace_back(
        "options are chosen by the score of \"question option\" with the picture: no answer is "
        "refused or unparsable, and the order of options does not matter");
  if (reply_ == Reply::kLikelihoods)
    notes.emplace_back(
        "options are chosen by the likelihood of what stands behind the question: no answer is "
        "refused or unparsable");
  if (style_ == PromptStyle::kVlbias && !offers_unknown_always_)
    notes.emplace_back(
        "VLBiasBench's own form offers the unknown option with ambiguous questions alone; "
        "--all-with-c offers it always");
  return notes;
}

}  // namespace snellen::tasks
