// SPDX-License-Identifier: Apache-2.0
// A program of the user's as a model: lines of JSON to its input, scores from its output
// (docs/adapters.md).
#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "snellen/models/exec/conversation.h"
#include "snellen/models/exec/settings.h"
#include "snellen/models/exec/shown_visuals.h"
#include "snellen/models/worker.h"

namespace snellen::models {
namespace {

using exec::Conversation;
using exec::ExecSettings;
using exec::Pending;
using exec::ShownVisuals;
using exec::Wants;

constexpr const char* kSharedMemory = "/dev/shm";

questions::ScoreKind kind_of(exec::Mode mode) {
  switch (mode) {
    case exec::Mode::kSimilarity:
    case exec::Mode::kEmbedding:
      return questions::ScoreKind::kSimilarity;
    case exec::Mode::kProbability:
      return questions::ScoreKind::kProbability;
    case exec::Mode::kPerplexity:
      return questions::ScoreKind::kLogLikelihood;
  }
  return questions::ScoreKind::kSimilarity;
}

class ExecWorker final : public Worker {
 public:
  ExecWorker(const exec::ConversationOptions& options, ShownVisuals::Options shown)
      : command_(options.command),
        frames_(options.frames),
        conversation_(std::make_unique<Conversation>(options)) {
    const exec::Ready& ready = conversation_->ready();
    shown.wants = ready.wants;
    visuals_ = std::make_unique<ShownVisuals>(std::move(shown));
    const size_t at_once = ready.max_in_flight > 0
                               ? std::min(ready.max_in_flight, options.max_in_flight)
                               : options.max_in_flight;
    traits_ = {.looks = ready.wants != Wants::kTexts,
               .embeds = ready.mode == exec::Mode::kEmbedding,
               .similarity = {.scale = ready.scale, .is_cosine = true},
               .has_independent_scores = ready.has_independent_scores,
               .kind = kind_of(ready.mode),
               .at_once = static_cast<unsigned>(at_once),
               .may_be_kept = !ready.identity.empty(),
               .takes_texts_alone = ready.takes_no_picture,
               .takes_pictures_as_they_are = ready.wants == Wants::kPixels};
  }

  const WorkerTraits& traits() const override { return traits_; }
  std::vector<Model::Identity> identity() const override {
    const exec::Ready& ready = conversation_->ready();
    std::vector<Model::Identity> identity = {{"command", command_},
                                             {"adapter", ready.name},
                                             {"adapter_identity", ready.identity},
                                             {"mode", std::string(name_of(ready.mode))},
                                             {"frames", fmt::format("{}", frames_)}};
    if (traits_.embeds) identity.push_back({"scale", fmt::format("{}", ready.scale)});
    if (traits_.has_independent_scores) identity.push_back({"independent_scores", "true"});
    return identity;
  }

  Result<WorkerAnswer> score(const WorkerQuestion& question,
                             const IsStopped& is_stopped) const override {
    exec::Request request;
    Result<ShownVisuals::Held> held = shown(question, request);
    if (!held) return held.error();
    const size_t most = conversation_->ready().max_texts;
    const size_t step = most == 0 ? std::max<size_t>(1, question.texts.size()) : most;
    std::vector<exec::Request> requests;
    for (size_t begin = 0; begin < question.texts.size(); begin += step) {
      const size_t end = std::min(question.texts.size(), begin + step);
      request.texts.assign(question.texts.begin() + static_cast<ptrdiff_t>(begin),
                           question.texts.begin() + static_cast<ptrdiff_t>(end));
      requests.push_back(request);
      ++request.part;
    }
    WorkerAnswer answer;
    if (*held) answer.frames = (*held)->frames();
    for (const std::shared_ptr<Pending>& sent : conversation_->send(std::move(requests))) {
      Result<std::vector<double>> scores = conversation_->wait(*sent, is_stopped);
      if (!scores) return scores.error();
      answer.values.insert(answer.values.end(), scores->begin(), scores->end());
    }
    return answer;
  }

  std::vector<Result<WorkerAnswer>> embed(std::span<const WorkerQuestion> questions,
                                          const IsStopped& is_stopped) const override {
    std::vector<Result<ShownVisuals::Held>> held;  // files must stay until the answers are there
    std::vector<std::shared_ptr<Pending>> sent(questions.size());
    for (size_t i = 0; i < questions.size(); ++i) {
      std::vector<exec::Request> requests(1);
      requests[0].wants_row = true;
      requests[0].texts.assign(questions[i].texts.begin(), questions[i].texts.end());
      held.push_back(shown(questions[i], requests[0]));
      if (held[i]) sent[i] = conversation_->send(std::move(requests)).front();
    }
    std::vector<Result<WorkerAnswer>> answers;
    for (size_t i = 0; i < questions.size(); ++i) {
      Result<std::vector<double>> row =
          held[i] ? conversation_->wait(*sent[i], is_stopped) : held[i].error();
      if (row) row = of_one_width(std::move(row).value());
      if (!row) {
        answers.emplace_back(row.error());
        continue;
      }
      WorkerAnswer answer{.values = std::move(row).value()};
      if (*held[i]) answer.frames = (*held[i])->frames();
      answers.emplace_back(std::move(answer));
    }
    return answers;
  }

  std::vector<std::string> notes() const override {
    Conversation::Counts counts = conversation_->counts();
    const exec::Ready& ready = conversation_->ready();
    std::vector<std::string> notes = {fmt::format("adapter {} answered {} requests, mode {}",
                                                  ready.name.empty() ? command_ : ready.name,
                                                  counts.answered,
                                                  name_of(ready.mode))};
    if (counts.restarts > 0)
      notes.push_back(fmt::format("the adapter was restarted {} times", counts.restarts));
    return notes;
  }

 private:
  // What the adapter is shown, as it wants it; null where nothing is.
  Result<ShownVisuals::Held> shown(const WorkerQuestion& question, exec::Request& request) const {
    request.task = question.task;
    request.item = question.item;
    request.part = question.part;
    if (question.drawn && traits_.looks)
      return Error{ErrorCode::kInvalidInput,
                   "is drawn in memory, which no program is shown",
                   std::string(question.item)};
    if (!question.place || !traits_.looks) return ShownVisuals::Held();
    Result<ShownVisuals::Held> held = visuals_->show(*question.place, question.picture);
    if (held) request.visual = (*held)->visual();
    return held;
  }

  // Rows that are compared have as many numbers.
  Result<std::vector<double>> of_one_width(std::vector<double> row) const {
    size_t width = 0;
    if (width_.compare_exchange_strong(width, row.size()) || width == row.size()) return row;
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("the adapter gave a \"row\" of {} numbers, before it of {}", row.size(), width),
        "row",
        "give rows of one width for pictures and texts"};
  }

  std::string command_;
  int64_t frames_;
  WorkerTraits traits_;
  std::unique_ptr<ShownVisuals> visuals_;
  std::unique_ptr<Conversation> conversation_;  // safe from many threads
  mutable std::atomic<size_t> width_ = 0;       // of the first row
};

class ExecEntry : public WorkerEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }

  std::unique_ptr<Worker> open_worker(const ModelRequest& request) const override {
    if (request.argument.find_first_not_of(" \t") == std::string::npos) {
      throw Error{ErrorCode::kUsage,
                  "no command named",
                  "--model exec",
                  "for example --model exec:\"python3 adapter.py\""};
    }
    SNELLEN_CHECK(request.options != nullptr);
    const auto& settings = request.options->get<ExecSettings>();
    const int64_t frames = settings.frames.value_or(0);
    return std::make_unique<ExecWorker>(
        exec::ConversationOptions{.command = request.argument,
                                  .frames = frames > 0 ? frames : exec::kUsualFrames,
                                  .timeout_s = settings.timeout_s,
                                  .start_timeout_s = settings.start_timeout_s,
                                  .max_restarts = settings.max_restarts,
                                  .max_in_flight = settings.max_in_flight,
                                  .say =
                                      [say = request.say](std::string_view line) {
                                        if (say) say(fmt::format("adapter: {}", line));
                                      }},
        ShownVisuals::Options{.frames = frames,
                              .is_compat = request.is_compat,
                              .working_folder = request.working_folder,
                              .shared_memory = kSharedMemory});
  }

 private:
  ModelFacts facts_ = {.name = "exec",
                       .summary = "a program of yours that speaks lines of JSON (docs/adapters.md)",
                       .usage = "--model exec:\"python3 adapter.py\"",
                       .settings = {config::Block(ExecSettings{}, exec::exec_options())}};
};

}  // namespace

std::unique_ptr<ModelEntry> make_exec();
std::unique_ptr<ModelEntry> make_exec() {
  return std::make_unique<ExecEntry>();
}

}  // namespace snellen::models
