// SPDX-License-Identifier: Apache-2.0
// Somebody outside who scores visuals with texts: a program, a server. It is asked by the inference
// engine, which asks each distinct thing once, keeps what may be kept, and makes a Model of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/media/image.h"
#include "snellen/media/visual_place.h"
#include "snellen/models/model.h"
#include "snellen/models/network.h"

namespace snellen::models {

struct WorkerTraits {
  bool looks = true;  // at visuals; else texts alone make a score
  // It gives rows of visuals and rows of texts, and scores are made of them here.
  bool embeds = false;
  Similarity similarity = {};  // of those rows
  // A score does not depend on the texts beside it: a visual is asked once, with all its texts.
  bool has_independent_scores = false;
  questions::ScoreKind kind = questions::ScoreKind::kSimilarity;
  unsigned at_once = 1;  // requests that are under way together
  // Its identity says all that makes its answers what they are: they may be kept between runs.
  bool may_be_kept = false;
  // It answers questions that want an answer. It is then asked question by question: it has no
  // independent scores, as it does not embed.
  bool answers = false;
  bool takes_texts_alone = false;  // questions that show nothing, though it looks
  bool has_masses = false;         // it gives the mass of every score (questions::Scores::masses)
  // Which pictures it takes from WorkerQuestion::picture, and how they are decoded.
  bool takes_pictures_as_they_are = false;  // those too that are neither cropped nor corrupted
  bool alpha_on_white = false;
};

// Gives the picture of a file, decoded once for all questions that show it in one way or another.
using SharedPicture = std::function<Result<std::shared_ptr<const media::Image>>()>;

struct WorkerQuestion {
  // The first item that asks it, for people.
  uint32_t task = 0;
  std::string_view item = {};
  uint32_t part = 0;
  const media::VisualPlace* place = nullptr;  // null where nothing is shown, or it is drawn
  const questions::Drawn* drawn = nullptr;
  std::vector<std::string_view> texts = {};
  uint32_t repeat = 0;         // of a question that wants an answer
  SharedPicture picture = {};  // the file of `place`; none for clips, or where nobody shares
};

struct WorkerAnswer {
  std::vector<double> values = {};  // one per text, higher is better; or a row
  media::FrameIndices frames = {};  // of a clip, those that were shown
  std::vector<double> masses = {};  // one per value, where its traits say so
};

// What was said to a question that wants an answer.
struct WorkerReply {
  std::string text;  // verbatim
  questions::AnswerFacts facts = {};
  media::FrameIndices frames = {};
};

// All that will be asked, each distinct thing once.
struct ExpectedWork {
  uint64_t scores = 0;
  uint64_t answers = 0;
  uint64_t pictures = 0;    // shown with them, one per question
  uint64_t clips = 0;       // likewise; how many frames are shown of one is the worker's to know
  uint64_t text_bytes = 0;  // of the texts of all questions
};

// Const methods are safe from many threads. They throw Stopped when `is_stopped` says so first, and
// an Error when nobody answers any more.
class Worker {
 public:
  virtual ~Worker() = default;
  virtual const WorkerTraits& traits() const = 0;
  virtual std::vector<Model::Identity> identity() const = 0;
  virtual std::vector<std::string> notes() const { return {}; }
  // Told before the first question.
  virtual void expect(const ExpectedWork& work) const { (void)work; }

  using IsStopped = std::function<bool()>;
  // The scores of the texts with the visual; an Error for this question alone.
  virtual Result<WorkerAnswer> score(const WorkerQuestion& question,
                                     const IsStopped& is_stopped) const = 0;
  // The answer to the question's only text; an Error for this question alone.
  virtual Result<WorkerReply> answer(const WorkerQuestion& question,
                                     const IsStopped& is_stopped) const {
    (void)question;
    (void)is_stopped;
    return Error{ErrorCode::kInternal, "this model gives no answers"};
  }
  // The rows of questions that show one visual, or ask about one text.
  virtual std::vector<Result<WorkerAnswer>> embed(std::span<const WorkerQuestion> questions,
                                                  const IsStopped& is_stopped) const {
    (void)is_stopped;
    return {questions.size(), Error{ErrorCode::kInternal, "this model gives no rows"}};
  }
};

// The catalogue entry of a model that is a worker.
class WorkerEntry : public ModelEntry {
 public:
  virtual std::unique_ptr<Worker> open_worker(const ModelRequest& request) const = 0;
  std::unique_ptr<Model> open(const ModelRequest&) const final {
    throw Error{ErrorCode::kInternal, "a worker is opened by the inference engine"};
  }
};

}  // namespace snellen::models
