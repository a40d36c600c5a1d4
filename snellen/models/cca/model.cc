// SPDX-License-Identifier: Apache-2.0
// Canonical correlations as a model: a text of two lines, a question and an answer, scores the
// cosine of the two in the common space (CCA-AQ, docs/spec/visdial.md 5.6). Where an answer is
// wanted it gives those of the nearest training questions as they are (questions::answer_list); the
// question is the last line of the prompt (CCA-AQ-G, 5.7). It does not look.
#include <charconv>
#include <cmath>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>

#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/base/hash.h"
#include "snellen/cca/answer_finder.h"
#include "snellen/cca/dialog_model.h"
#include "snellen/cca/nearest_answers.h"
#include "snellen/models/model.h"
#include "snellen/questions/answer_list.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;
using cca::Rows;

// Directions of texts of one view, kept while they are few. Methods are safe from many threads.
class Directions {
 public:
  Directions(const cca::DialogModel& model, cca::Projector projector)
      : encoder_(model.encoder), projector_(std::move(projector)) {}

  // One row of length 1 per text.
  Rows of(const std::vector<std::string_view>& texts) {
    Rows rows(static_cast<int64_t>(texts.size()), projector_.num_dimensions());
    std::vector<size_t> missing;
    {
      const std::shared_lock lock(mutex_);
      for (size_t i = 0; i < texts.size(); ++i) {
        const auto found = known_.find(std::string(texts[i]));
        if (found == known_.end()) {
          missing.push_back(i);
        } else {
          rows.row(static_cast<int64_t>(i)) = found->second;
        }
      }
    }
    if (missing.empty()) return rows;
    text::StringPool pool;
    std::vector<uint32_t> ids;
    for (size_t i : missing) ids.push_back(pool.add(texts[i]));
    const Rows made = cca::unit_projections(projector_, pool, encoder_, 1);
    for (size_t i = 0; i < missing.size(); ++i)
      rows.row(static_cast<int64_t>(missing[i])) = made.row(ids[i]);
    const std::unique_lock lock(mutex_);
    if (known_.size() > kMostKept) known_.clear();
    for (uint32_t id = 0; id < pool.size(); ++id)
      known_.emplace(std::string(pool[id]), made.row(id));
    return rows;
  }

 private:
  static constexpr size_t kMostKept = 200000;
  const text::DialogEncoder& encoder_;
  cca::Projector projector_;
  std::shared_mutex mutex_;  // guards known_
  std::unordered_map<std::string, Eigen::RowVectorXd> known_;
};

struct CcaSettings {
  fs::path training_dialogs;
  size_t num_answers = 1;
  std::string ranker = "cca";
  fs::path training_features;
  fs::path dialog_features;
};

std::vector<config::Option> cca_options() {
  using config::option;
  using S = CcaSettings;
  return {
      option(&S::training_dialogs,
             "training-dialogs",
             "dialogs whose answers are given, or that --ranker nearest looks into")
          .identity(false)
          .value("FILE"),
      option(&S::num_answers, "k", "visdial-gen: answers per question")
          .range(1, 1000)
          .omit_default(),
      option(&S::ranker,
             "ranker",
             "visdial-rank: by the fit, or by the mean answer to the 100 nearest training "
             "questions")
          .choices({"cca", "nearest"})
          .omit_default(),
      option(&S::training_features,
             "training-features",
             "--ranker nearest: pictures of the training dialogs; of the 100 questions those "
             "about the 20 nearest pictures count")
          .identity(false)
          .omit_default()
          .value("FILE"),
      option(&S::dialog_features, "dialog-features", "--training-features: pictures of --dialogs")
          .identity(false)
          .omit_default()
          .value("FILE")};
}

// The question that a prompt asks.
std::string_view last_line(std::string_view prompt) {
  const size_t end = prompt.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  prompt = prompt.substr(0, end + 1);
  const size_t line_break = prompt.rfind('\n');
  return line_break == std::string_view::npos ? prompt : prompt.substr(line_break + 1);
}

// The features of the pictures that are asked about, by their names.
class PictureFeatures {
 public:
  PictureFeatures(const fs::path& features, const fs::path& dialogs_path) {
    const annotations::DialogFile dialogs(dialogs_path);
    rows_ = cca::image_features(features, dialogs);
    for (size_t i = 0; i < dialogs.num_dialogs(); ++i) places_.emplace(dialogs.image_name(i), i);
  }
  int64_t width() const { return rows_.cols(); }
  // None of a picture that no dialog has: what a control shows in its place.
  std::span<const double> of(const std::string& picture) const {
    const auto found = places_.find(picture);
    if (found == places_.end()) return {};
    const auto width = static_cast<size_t>(rows_.cols());
    return {rows_.data() + found->second * width, width};
  }

 private:
  Rows rows_;
  std::unordered_map<std::string, size_t> places_;
};

// Ranks answers by how near they are to the mean answer of the nearest training questions, which is
// kept while questions are few. Safe from many threads.
class NearestRanker {
 public:
  // `dialogs` are those that will be asked about.
  NearestRanker(const cca::DialogModel& model,
                const CcaSettings& settings,
                const fs::path& dialogs,
                unsigned num_threads)
      : model_(model),
        nearest_(model, settings.training_dialogs, settings.training_features, num_threads) {
    if (settings.dialog_features.empty()) return;
    pictures_.emplace(settings.dialog_features, dialogs);
    if (pictures_->width() != nearest_.feature_width())
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("has {} numbers per picture, those of the training pictures {}",
                              pictures_->width(),
                              nearest_.feature_width()),
                  settings.dialog_features.string(),
                  "make both with one model"};
  }

  // Higher is better. Without features of the picture the question alone decides.
  double score(std::string_view question,
               const questions::Visual* picture,
               std::string_view answer) {
    const std::shared_ptr<const std::vector<double>> mean =
        mean_of(question, pictures_ && picture != nullptr ? picture->name : std::string());
    std::vector<double> row(mean->size());
    model_.encoder.encode(answer, row);
    double squares = 0;
    for (size_t i = 0; i < row.size(); ++i)
      squares += (row[i] - (*mean)[i]) * (row[i] - (*mean)[i]);
    return cca::rounded_cosine(-std::sqrt(squares));
  }

 private:
  std::shared_ptr<const std::vector<double>> mean_of(std::string_view question,
                                                     const std::string& picture) {
    const std::string key = fmt::format("{}\n{}", picture, question);
    {
      const std::shared_lock lock(mutex_);
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
    }
    auto mean = std::make_shared<const std::vector<double>>(nearest_.mean_answer(
        question, picture.empty() ? std::span<const double>() : pictures_->of(picture)));
    const std::unique_lock lock(mutex_);
    if (known_.size() > kMostKept) known_.clear();
    return known_.emplace(key, std::move(mean)).first->second;
  }

  static constexpr size_t kMostKept = 50000;
  const cca::DialogModel& model_;
  cca::NearestAnswers nearest_;
  std::optional<PictureFeatures> pictures_;
  std::shared_mutex mutex_;  // guards known_
  std::unordered_map<std::string, std::shared_ptr<const std::vector<double>>> known_;
};

// Answers of training dialogs. What will be asked is answered ahead, block by block. One thread
// until begin() has returned; then const methods are safe from many.
class Answerer final : public AskPlan {
 public:
  Answerer(const cca::DialogModel& model,
           const CcaSettings& settings,
           bool is_compat,
           unsigned num_threads)
      : finder_(model, settings.training_dialogs, is_compat, num_threads),
        num_answers_(settings.num_answers) {}

  void add(const Ask& ask) override {
    for (const questions::Question& question : ask.questions)
      if (question.wants == questions::Wants::kAnswer)
        questions_.add(last_line((*ask.texts)[question.texts.at(0)].prompt));
  }
  bool knows(const Ask&) const override { return false; }
  void add_known(size_t) override {}

  void begin(const std::function<bool()>& is_stopped) {
    const size_t first = answers_.size();
    text::StringPool fresh;
    for (uint32_t id = static_cast<uint32_t>(first); id < questions_.size(); ++id)
      fresh.add(questions_[id]);
    const std::span<const size_t> counts(&num_answers_, 1);
    for (const auto& by_count : finder_.answers(fresh, counts, {}, is_stopped))
      answers_.push_back(questions::answer_list(by_count[0].texts));
  }

  // Throws Stopped where begin() was.
  const std::string& answer(std::string_view prompt) const {
    const uint32_t id = questions_.find(last_line(prompt));
    SNELLEN_CHECK(id != text::StringPool::kAbsent);
    if (id >= answers_.size()) throw Stopped();
    return answers_[id];
  }

 private:
  cca::AnswerFinder finder_;
  size_t num_answers_;
  text::StringPool questions_;
  std::vector<std::string> answers_;  // by question
};

class CcaModel : public Model {
 public:
  // `dialogs` are those that will be asked about, where they are known.
  CcaModel(const fs::path& folder,
           const CcaSettings& settings,
           const fs::path& dialogs,
           bool is_compat,
           unsigned num_threads)
      : model_(cca::DialogModel::read(folder)),
        answers_(model_, model_.answer_projector()),
        questions_(model_, model_.question_projector()) {
    for (const char* name : {"cca.json", "answer_weights.npy", "question_weights.npy"})
      identity_.push_back({name, sha256_of_file(folder / name)});
    if (settings.ranker == "nearest") open_nearest(settings, dialogs, num_threads);
    if (settings.training_dialogs.empty()) return;
    answerer_ = std::make_unique<Answerer>(model_, settings, is_compat, num_threads);
    identity_.push_back({"training_dialogs", sha256_of_file(settings.training_dialogs)});
  }

  std::vector<Identity> identity() const override { return identity_; }
  AskPlan* plan() override { return answerer_.get(); }
  void begin(const std::function<bool()>& is_stopped) override {
    if (answerer_) answerer_->begin(is_stopped);
  }

  Result<questions::Scores> score(const Ask& ask) const override {
    std::vector<std::string> given;
    std::vector<std::string_view> questions;
    std::vector<std::string_view> answers;
    std::vector<const questions::Visual*> pictures;
    std::vector<size_t> places;
    for (const questions::Question& question : ask.questions) {
      if (question.wants == questions::Wants::kAnswer) {
        if (!answerer_)
          return Error{ErrorCode::kUsage,
                       "no dialogs are named whose answers are given",
                       "--training-dialogs",
                       "for example visdial_1.0_train.json"};
        given.push_back(answerer_->answer((*ask.texts)[question.texts.at(0)].prompt));
        continue;
      }
      const size_t next = places.size();
      for (size_t i = 0; i < questions::num_scores(question); ++i) {
        const std::string_view text = (*ask.texts)[question.texts[i]].prompt;
        const size_t end = text.find('\n');
        if (end == std::string_view::npos)
          return Error{
              ErrorCode::kInvalidInput,
              fmt::format("'{}' is not a question and an answer, a line each", text.substr(0, 80)),
              fmt::format("item {}", ask.item),
              "this model ranks answers: run visdial-rank"};
        questions.push_back(text.substr(0, end));
        answers.push_back(text.substr(end + 1));
        pictures.push_back(ask.shown(question));
        places.push_back(questions::place_of(question, i, next));
      }
    }
    if (nearest_) {
      questions::Scores scores{.values = std::vector<double>(places.size())};
      for (size_t i = 0; i < places.size(); ++i)
        scores.values[places[i]] = nearest_->score(questions[i], pictures[i], answers[i]);
      scores.answers = std::move(given);
      return scores;
    }
    const Rows question_rows = questions_.of(questions);
    const Rows answer_rows = answers_.of(answers);
    questions::Scores scores{.values = std::vector<double>(places.size())};
    scores.answers = std::move(given);
    for (size_t i = 0; i < places.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      scores.values[places[i]] =
          cca::rounded_cosine(answer_rows.row(row).dot(question_rows.row(row)));
    }
    return scores;
  }

 private:
  void open_nearest(const CcaSettings& settings, const fs::path& dialogs, unsigned num_threads) {
    if (settings.training_dialogs.empty())
      throw Error{ErrorCode::kUsage,
                  "no dialogs are named in which the nearest questions are looked for",
                  "--training-dialogs",
                  "for example visdial_1.0_train.json"};
    const bool has_features = !settings.training_features.empty();
    if (has_features != !settings.dialog_features.empty() || (has_features && dialogs.empty()))
      throw Error{ErrorCode::kUsage,
                  "pictures are compared by the features of both sides",
                  has_features ? "--dialog-features" : "--training-features",
                  "make them with `snellen media features`, and name --dialogs"};
    nearest_ = std::make_unique<NearestRanker>(model_, settings, dialogs, num_threads);
    if (!has_features) return;
    identity_.push_back({"training_features", sha256_of_file(settings.training_features)});
    identity_.push_back({"dialog_features", sha256_of_file(settings.dialog_features)});
  }

  cca::DialogModel model_;
  mutable Directions answers_;
  mutable Directions questions_;
  std::vector<Identity> identity_;
  std::unique_ptr<Answerer> answerer_;      // where training dialogs are named
  std::unique_ptr<NearestRanker> nearest_;  // where it ranks
};

// As the run has them.
unsigned threads_of(const ModelRequest& request) {
  unsigned threads = 0;
  if (request.options != nullptr) {
    const std::string text = request.options->text("num-workers");
    std::from_chars(text.data(), text.data() + text.size(), threads);
  }
  return threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

// Those of visdial-rank, or none.
fs::path dialogs_of(const ModelRequest& request) {
  if (request.options == nullptr || !request.options->is_set("dialogs")) return {};
  return request.options->text("dialogs");
}

class CcaEntry : public ModelEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }
  std::unique_ptr<Model> open(const ModelRequest& request) const override {
    if (request.argument.empty())
      throw Error{ErrorCode::kUsage,
                  "no folder of a CCA is named",
                  "--model cca",
                  "cca:DIR, as `snellen train cca` wrote it"};
    const CcaSettings settings =
        request.options ? request.options->get<CcaSettings>() : CcaSettings{};
    return std::make_unique<CcaModel>(
        request.argument, settings, dialogs_of(request), request.is_compat, threads_of(request));
  }

 private:
  ModelFacts facts_ = {.name = "cca",
                       .summary = "canonical correlations of questions and answers, for VisDial",
                       .usage = "cca:DIR, a folder that `snellen train cca` wrote",
                       .can_answer = true,
                       .settings = {config::Block(CcaSettings{}, cca_options())}};
};

}  // namespace

std::unique_ptr<ModelEntry> make_cca();
std::unique_ptr<ModelEntry> make_cca() {
  return std::make_unique<CcaEntry>();
}

}  // namespace snellen::models
