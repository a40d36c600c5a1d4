// SPDX-License-Identifier: Apache-2.0
// A model answers the questions of an item with scores. It knows no task: an item is an id, what it
// shows, and what is asked about it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/config/options.h"
#include "snellen/questions/question.h"

namespace snellen::models {

// What an item asks. It points into the item.
struct Ask {
  uint32_t task = 0;  // visuals of one name may be another picture in another task
  // Visuals of different lanes share no batch, so that what a control adds to a run changes nothing
  // of the run itself, bit by bit, where rows depend on their batch. 0: the run itself.
  uint32_t lane = 0;
  std::string_view item = {};
  std::span<const questions::Visual> visuals = {};
  const questions::Texts* texts = nullptr;
  std::span<const questions::Question> questions = {};

  // Null where nothing is shown.
  const questions::Visual* shown(const questions::Question& question) const {
    return question.visual < visuals.size() ? &visuals[question.visual] : nullptr;
  }
  size_t num_scores() const;
};

// What a model will be asked, for those that work ahead. Asks are added in the order in which they
// will be scored, from one thread.
class AskPlan {
 public:
  virtual ~AskPlan() = default;
  virtual void add(const Ask& ask) = 0;
  // Asked from many threads, while others are added: whether this one brings nothing new beside
  // those before it. Then only the number of its scores is added.
  virtual bool knows(const Ask& ask) const = 0;
  virtual void add_known(size_t num_scores) = 0;
};

// Thrown by score() when the run was stopped before the answer was there.
class Stopped : public std::exception {};

// Const methods are safe from many threads; a model is const after it was opened.
class Model {
 public:
  virtual ~Model() = default;
  // What makes its scores what they are: hashes of weights and files, by name, for the stamp.
  struct Identity {
    std::string name;
    std::string value;
  };
  virtual std::vector<Identity> identity() const = 0;
  // Whether it looks at the files of visuals, or somebody whom it asks does.
  virtual bool looks() const { return false; }
  // Whether a question may show nothing (media::shows_no_picture), as the control `none` does.
  virtual bool takes_no_picture() const { return !looks(); }
  // How many frames a clip must have, for models that take no other number.
  virtual std::optional<int64_t> fixed_frames() const { return std::nullopt; }
  // Whether its answers were made before anybody asked, so that what is shown cannot change them.
  virtual bool has_fixed_answers() const { return false; }
  // A new plan, for models that work ahead; null for all others. Called again when everything
  // before was answered or given up, by a rank that was handed further items.
  virtual AskPlan* plan() { return nullptr; }
  // Told before the first score(), when the plan is made. `is_stopped` is asked from many threads
  // until the model is gone.
  virtual void begin(const std::function<bool()>& is_stopped) { (void)is_stopped; }
  // How far it is where it works ahead of the answers; from any thread.
  struct Ahead {
    struct Count {
      const char* unit;  // "images"
      uint64_t done = 0;
      uint64_t total = 0;
    };
    std::vector<Count> counts = {};  // none: it does not work ahead, or has not begun
    double seconds = 0;              // since it began
    double share = 0;                // of the time it needs in all
  };
  virtual Ahead ahead() const { return {}; }
  // While it works ahead: which stage holds the rest up, in a few words; empty when nothing is
  // known.
  virtual std::string limited_by() const { return {}; }
  // How many asks it likes to have before it at once, each from a thread of its own, because it
  // waits for somebody else: a program, a server. 0: as many as the run has threads.
  virtual unsigned asks_at_once() const { return 0; }
  // What a user should know about the work that was done, one sentence each.
  virtual std::vector<std::string> notes() const { return {}; }
  // One score for every text of the questions, in the places that they name; or an Error for this
  // item alone. A file of scores may answer with fewer or more: the task that reads them judges
  // whether they fit.
  virtual Result<questions::Scores> score(const Ask& ask) const = 0;
  // Texts that were too long and were cut.
  virtual uint64_t num_truncated() const { return 0; }
};

inline size_t Ask::num_scores() const {
  size_t count = 0;
  for (const questions::Question& question : questions) count += questions::num_scores(question);
  return count;
}

// One line of a score file, as the task that asks reads it.
struct FileScores {
  std::string item;
  Result<std::vector<double>> scores;
};
using LineReader = std::function<Result<FileScores>(std::string_view line)>;

struct ModelRequest {
  std::string argument;  // what follows the name and a colon: `file:scores.jsonl`
  uint64_t seed = 0;
  LineReader read_line = {};  // for models that read a task's score file
  std::function<void(std::string_view item)> on_item = {};  // told every item such a file has
  const config::Options* options = nullptr;  // the run's settings, among them those it declared
  bool is_compat = false;
  std::filesystem::path working_folder = {};            // for what lives as long as the model
  std::function<void(std::string_view line)> say = {};  // tells people something, from any thread
  std::string score = {};                               // what --score says; empty: the default
  std::filesystem::path cache = {};                     // of the run; empty: nothing is kept
  // Reads a variable of the environment, for keys that must be in no file; empty: not set.
  std::function<std::string(const std::string& name)> variable = {};
};

struct ModelFacts {
  std::string name;  // as --model takes it, before any colon
  std::string summary;
  std::string usage;
  std::vector<std::string> scores = {};  // what --score takes, the default first; empty: nothing
  bool can_answer = false;            // questions that want an answer (questions::Wants::kAnswer)
  bool is_named_by_argument = false;  // runs are named by what follows the colon
  std::vector<config::Block> settings = {};  // its own structs of settings, with their options
};

// A catalogue entry: the facts, and how to open the model.
class ModelEntry {
 public:
  virtual ~ModelEntry() = default;
  virtual const ModelFacts& facts() const = 0;
  virtual std::unique_ptr<Model> open(const ModelRequest& request) const = 0;
};

// Every model of this build, in the order of CMakeLists.txt.
std::vector<std::unique_ptr<ModelEntry>> built_in_models();

}  // namespace snellen::models
