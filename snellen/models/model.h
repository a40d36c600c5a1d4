// SPDX-License-Identifier: Apache-2.0
// A model answers asks with scores. It knows no task: an item is only an id and the cells to be
// scored.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/config/options.h"
#include "snellen/media/visual_place.h"
#include "snellen/questions/score_kind.h"

namespace snellen::models {

// One wanted score: higher is a better match.
struct Cell {
  std::string_view visual;
  std::string_view text;
};

// Where a visual of an item lies.
using LocateVisual = std::function<Result<media::VisualPlace>(std::string_view visual)>;

struct Ask {
  std::string_view item;
  std::span<const Cell> cells;
  uint32_t task = 0;         // visuals of one name may be another picture in another task
  LocateVisual locate = {};  // for models that look
};

// What the scores of an ask are, and which frames of its clip were looked at.
struct Shown {
  questions::ScoreKind kind = questions::ScoreKind::kSimilarity;
  std::vector<int64_t> frames = {};  // of the first visual, counted in its clip; empty for pictures
};

struct AskVisitor {
  std::function<void(const Ask&)> visit;
  // Where asks are made on many threads, they may find out there that one brings nothing new beside
  // those that were visited before it; then `pass` is told in the place of `visit`.
  std::function<bool(const Ask&)> is_known = {};
  std::function<void(size_t num_cells)> pass = {};
};

// Gives every ask of a run to a visitor, in the order in which they will be scored.
using AskSource = std::function<void(const AskVisitor& visitor)>;

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
  // Told before the first score(): models that work ahead plan with it and begin. Told again, with
  // further asks, when all before were answered or given up: a rank that was handed more items.
  // `is_stopped` is asked from many threads until the model is gone.
  virtual void prepare(const AskSource& asks, const std::function<bool()>& is_stopped) {
    (void)asks;
    (void)is_stopped;
  }
  // While it works ahead: which stage holds the rest up, in a few words; empty when nothing is
  // known.
  virtual std::string limited_by() const { return {}; }
  // How many asks it likes to have before it at once, each from a thread of its own, because it
  // waits for somebody else: a program, a server. 0: as many as the run has threads.
  virtual unsigned asks_at_once() const { return 0; }
  // What a user should know about the work that was done, one sentence each.
  virtual std::vector<std::string> notes() const { return {}; }
  // One score per cell, or an Error for this item alone. A file of scores may answer with fewer or
  // more: the task that reads them judges whether they fit.
  virtual Result<std::vector<double>> score(const Ask& ask) const = 0;
  // Of an ask that was scored.
  virtual Shown shown(const Ask& ask) const {
    (void)ask;
    return {};
  }
};

// One line of a score file, as the task that asks reads it.
struct FileScores {
  std::string item;
  Result<std::vector<double>> scores;
};
using LineReader = std::function<Result<FileScores>(std::string_view line)>;

struct ModelRequest {
  std::string argument;  // what follows the name and a colon: `file:scores.jsonl`
  uint64_t seed = 0;
  LineReader read_line = {};                 // for models that read a task's score file
  const config::Options* options = nullptr;  // the run's settings, among them those it declared
  bool is_compat = false;
  std::filesystem::path working_folder = {};            // for what lives as long as the model
  std::function<void(std::string_view line)> say = {};  // tells people something, from any thread
};

struct ModelFacts {
  std::string name;  // as --model takes it, before any colon
  std::string summary;
  std::string usage;
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
