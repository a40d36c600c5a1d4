// SPDX-License-Identifier: Apache-2.0
// A program of the user's as a model: lines of JSON to its input, scores from its output
// (docs/adapters.md).
#include "snellen/models/model.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "snellen/models/exec/conversation.h"
#include "snellen/models/exec/shown_visuals.h"

namespace snellen::models {
namespace {

using exec::Conversation;
using exec::Pending;
using exec::ShownVisuals;
using exec::Wants;

constexpr const char* kSharedMemory = "/dev/shm";
constexpr int64_t kUsualFrames = 8;

// The cells of one visual of an item: one request, or several where the adapter takes few texts.
struct VisualCells {
  std::string_view visual;
  std::vector<size_t> cells;
};

std::vector<VisualCells> by_visual(const Ask& ask) {
  std::vector<VisualCells> visuals;
  for (size_t i = 0; i < ask.cells.size(); ++i) {
    auto found = std::find_if(visuals.begin(), visuals.end(), [&](const VisualCells& one) {
      return one.visual == ask.cells[i].visual;
    });
    if (found == visuals.end()) found = visuals.insert(visuals.end(), {ask.cells[i].visual, {}});
    found->cells.push_back(i);
  }
  return visuals;
}

questions::ScoreKind kind_of(exec::Mode mode) {
  switch (mode) {
    case exec::Mode::kSimilarity:
      return questions::ScoreKind::kSimilarity;
    case exec::Mode::kProbability:
      return questions::ScoreKind::kProbability;
    case exec::Mode::kPerplexity:
      return questions::ScoreKind::kLogLikelihood;
  }
  return questions::ScoreKind::kSimilarity;
}

class ExecModel : public Model {
 public:
  ExecModel(const exec::ConversationOptions& options, ShownVisuals::Options shown)
      : command_(options.command),
        frames_(options.frames),
        max_in_flight_(options.max_in_flight),
        conversation_(std::make_unique<Conversation>(options)) {
    shown.wants = conversation_->ready().wants;
    visuals_ = std::make_unique<ShownVisuals>(std::move(shown));
  }

  bool looks() const override { return true; }
  std::vector<Identity> identity() const override {
    const exec::Ready& ready = conversation_->ready();
    return {{"command", command_},
            {"adapter", ready.name},
            {"adapter_identity", ready.identity},
            {"mode", std::string(name_of(ready.mode))},
            {"frames", fmt::format("{}", frames_)}};
  }

  void prepare(const AskSource&, const std::function<bool()>& is_stopped) override {
    is_stopped_ = is_stopped;
  }

  unsigned asks_at_once() const override { return static_cast<unsigned>(max_in_flight_); }

  Result<std::vector<double>> score(const Ask& ask) const override {
    Requests requests;
    std::vector<ShownVisuals::Held> held;  // their files must stay until the answers are there
    for (const VisualCells& one : by_visual(ask)) {
      exec::ShownVisual shown;
      if (conversation_->ready().wants != Wants::kTexts) {
        Result<ShownVisuals::Held> visual = show(ask, one.visual);
        if (!visual) return visual.error();
        shown = (*visual)->visual();
        held.push_back(std::move(visual).value());
      }
      add(ask, one, shown, requests);
    }
    std::vector<std::shared_ptr<Pending>> sent = conversation_->send(std::move(requests.lines));
    std::vector<double> scores(ask.cells.size());
    for (size_t i = 0; i < sent.size(); ++i) {
      Result<std::vector<double>> answer = conversation_->wait(*sent[i], is_stopped_);
      if (!answer) return answer.error();
      for (size_t k = 0; k < answer->size(); ++k) scores[requests.cells[i][k]] = (*answer)[k];
    }
    if (!held.empty() && !held.front()->frames().empty()) {
      std::lock_guard lock(mutex_);
      frames_shown_[{ask.task, std::string(ask.item)}] = held.front()->frames();
    }
    return scores;
  }

  Shown shown(const Ask& ask) const override {
    Shown shown{.kind = kind_of(conversation_->ready().mode)};
    std::lock_guard lock(mutex_);
    auto found = frames_shown_.find({ask.task, std::string(ask.item)});
    if (found == frames_shown_.end()) return shown;
    shown.frames = std::move(found->second);
    frames_shown_.erase(found);
    return shown;
  }

  std::vector<std::string> notes() const override {
    Conversation::Counts counts = conversation_->counts();
    const exec::Ready& ready = conversation_->ready();
    std::vector<std::string> notes = {fmt::format("adapter {} answered {} requests, mode {}",
                                                  ready.name.empty() ? command_ : ready.name,
                                                  counts.answered,
                                                  name_of(ready.mode))};
    if (counts.restarts > 0)
      notes.push_back(fmt::format("the adapter had to be started anew {} times", counts.restarts));
    return notes;
  }

 private:
  struct Requests {
    std::vector<exec::Request> lines;
    std::vector<std::vector<size_t>> cells;  // which each of them answers
  };

  Result<ShownVisuals::Held> show(const Ask& ask, std::string_view visual) const {
    if (!ask.locate)
      return Error{
          ErrorCode::kInvalidInput, "nothing says where this visual lies", std::string(visual)};
    Result<media::VisualPlace> place = ask.locate(visual);
    if (!place) return place.error();
    return visuals_->show(*place);
  }

  void add(const Ask& ask,
           const VisualCells& one,
           const exec::ShownVisual& shown,
           Requests& requests) const {
    size_t most = conversation_->ready().max_texts;
    if (most == 0) most = one.cells.size();
    for (size_t begin = 0; begin < one.cells.size(); begin += most) {
      exec::Request request{.task = ask.task,
                            .item = std::string(ask.item),
                            .part = requests.lines.size(),
                            .visual = shown,
                            .texts = {}};
      std::vector<size_t> cells;
      for (size_t i = begin; i < std::min(one.cells.size(), begin + most); ++i) {
        cells.push_back(one.cells[i]);
        request.texts.emplace_back(ask.cells[one.cells[i]].text);
      }
      requests.lines.push_back(std::move(request));
      requests.cells.push_back(std::move(cells));
    }
  }

  std::string command_;
  int64_t frames_;
  size_t max_in_flight_;
  std::function<bool()> is_stopped_;
  std::unique_ptr<ShownVisuals> visuals_;
  std::unique_ptr<Conversation> conversation_;  // safe from many threads
  mutable std::mutex mutex_;                    // guards the following
  // Of items whose scores are there, until shown() is asked.
  mutable std::map<std::pair<uint32_t, std::string>, media::FrameIndices> frames_shown_;
};

struct ExecSettings {
  double timeout_s = 60;
  double start_timeout_s = 600;
  unsigned max_restarts = 3;
  size_t max_in_flight = 16;
  std::optional<int64_t> frames;
};

std::vector<config::Option> exec_options() {
  using config::option;
  using S = ExecSettings;
  return {
      option(&S::timeout_s,
             "exec-timeout",
             "longest time without an answer, in seconds, while answers are awaited")
          .above(0)
          .identity(false),
      option(&S::start_timeout_s,
             "exec-start-timeout",
             "longest time until the program is ready, in seconds")
          .above(0)
          .identity(false),
      option(&S::max_restarts, "exec-restarts", "how often a program that ended is started again")
          .range(0, 1000)
          .identity(false),
      option(&S::max_in_flight,
             "exec-in-flight",
             "items that are asked at the same time; does not change results")
          .range(1, 256)
          .identity(false),
      option(&S::frames,
             "frames",
             "cut clips to N frames, as PNG files (default: only for programs that want "
             "frames, then 8)")
          .range(1, 10'000)};
}

class ExecEntry : public ModelEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }

  std::unique_ptr<Model> open(const ModelRequest& request) const override {
    if (request.argument.find_first_not_of(" \t") == std::string::npos) {
      throw Error{ErrorCode::kUsage,
                  "no command named",
                  "--model exec",
                  "for example --model exec:\"python3 adapter.py\""};
    }
    SNELLEN_CHECK(request.options != nullptr);
    const auto& settings = request.options->get<ExecSettings>();
    const int64_t frames = settings.frames.value_or(0);
    return std::make_unique<ExecModel>(
        exec::ConversationOptions{.command = request.argument,
                                  .frames = frames > 0 ? frames : kUsualFrames,
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
                       .settings = {config::Block(ExecSettings{}, exec_options())}};
};

}  // namespace

std::unique_ptr<ModelEntry> make_exec();
std::unique_ptr<ModelEntry> make_exec() {
  return std::make_unique<ExecEntry>();
}

}  // namespace snellen::models
