// SPDX-License-Identifier: Apache-2.0
// What a plan's work asks of a worker: rows of visuals, scores of a question, answers.
#include <algorithm>

#include "snellen/inference/plan_work.h"
#include "snellen/inference/rows/exact_doubles.h"
#include "snellen/media/placed_picture.h"

namespace snellen::inference {

models::WorkerQuestion PlanWork::shown_question(uint32_t visual, const Table::Asker& asker) const {
  models::WorkerQuestion question{
      .task = asker.task, .item = asker.item, .part = asker.question, .texts = {}};
  if (visual == Table::kNoVisual) return question;
  question.drawn = table_.visual(visual).drawn();
  if (question.drawn != nullptr) return question;
  const media::VisualPlace& place = *table_.place(visual);
  if (media::shows_no_picture(place)) return question;
  question.place = &place;
  if (!place.clip && parts_.pictures != nullptr)
    question.picture = [pictures = parts_.pictures, &place] {
      return pictures->take(FileBytes(place.path));
    };
  return question;
}

void PlanWork::embed_places(const Job& job, std::vector<Wanted>& all, JobResult& done) {
  std::vector<models::WorkerQuestion> questions;
  std::vector<uint32_t> ids;
  for (uint32_t id = job.begin; id < job.end; ++id) {
    all[id - job.begin].opened.file.reset();
    if (!all[id - job.begin].is_open()) continue;
    questions.push_back(shown_question(id, table_.asker(id)));
    ids.push_back(id);
  }
  if (ids.empty()) return;
  auto answers = parts_.in_network([&] { return worker_->embed(questions, parts_.is_stopped); });
  num_visuals_ += ids.size();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!answers[i]) {
      all[ids[i] - job.begin].failure = answers[i].error();
      continue;
    }
    const std::span<float> to = done.row(ids[i], answers[i]->values.size());
    std::transform(answers[i]->values.begin(), answers[i]->values.end(), to.begin(), [](double x) {
      return static_cast<float>(x);
    });
    if (!keeps_raw_) backend_.make_visual_ready(to);
    if (answers[i]->frames.empty()) continue;
    std::lock_guard lock(mutex_);
    frames_shown_[ids[i]] = answers[i]->frames;
  }
}

// A worker is asked: one visual with all its texts, or a question as an item asks it.
JobResult PlanWork::work_on_question(const Job& job) {
  SNELLEN_CHECK(job.end == job.begin + 1);
  const uint32_t unit = job.begin;
  const uint32_t visual = table_.visual_of_unit(unit);
  JobResult done{.job = job};
  Wanted one;
  if (visual != Table::kNoVisual)
    one = timed(parts_.stages->reading, [&] { return want_visual(visual); });
  one.opened.file.reset();
  if (!one.failure)
    table_.wants_answer(unit) ? ask_answer(unit, one, done) : ask_scores(unit, one, done);
  if (one.failure) {
    done.values.clear();
    done.failures.emplace(unit, *one.failure);
  }
  return done;
}

void PlanWork::note_frames(uint32_t visual, const media::FrameIndices& frames) {
  if (visual == Table::kNoVisual || !is_clip(visual)) return;
  std::lock_guard lock(mutex_);
  frames_shown_[visual] = frames;
}

void PlanWork::ask_scores(uint32_t unit, Wanted& one, JobResult& done) {
  const uint32_t visual = table_.visual_of_unit(unit);
  const bool shows = visual != Table::kNoVisual;
  models::WorkerQuestion question = shown_question(visual, table_.asker(unit));
  std::string key;
  for (const uint32_t text : table_.texts_of(unit)) {
    question.texts.push_back(table_.prompt(text));
    (key += table_.text(text)) += '\xFF';
  }
  const bool is_keyed = store_.has_layers() && (!shows || one.opened.content);
  const ContentKey content = one.opened.content.value_or(ContentKey{});
  const ContentKey name = row_key(Unit::kQuestion, content, key);
  const Origin origin = is_keyed ? store_.find(name, done.values) : Origin::kNone;
  const bool is_known = origin != Origin::kNone &&
                        done.values.size() == floats_per_pair_ * question.texts.size() &&
                        (!shows || !is_clip(visual) || find_frames(visual, content));
  if (!is_known) {
    std::optional<Result<models::WorkerAnswer>> asked;
    parts_.in_network([&] { asked = worker_->score(question, parts_.is_stopped); });
    num_visuals_ += shows ? 1 : 0;
    num_pairs_ += question.texts.size();
    if (!*asked) {
      one.failure = asked->error();
      return;
    }
    const models::WorkerAnswer& answer = **asked;
    std::vector<double> values = answer.values;
    values.insert(values.end(), answer.masses.begin(), answer.masses.end());
    SNELLEN_CHECK(kFloatsPerDouble * values.size() == floats_per_pair_ * question.texts.size());
    done.values = exact_floats(values);
    if (is_keyed && shows && is_clip(visual)) add_frames(answer.frames, content);
    note_frames(visual, answer.frames);
  }
  if (is_keyed) store_.add(name, done.values, is_known ? origin : Origin::kNone);
}

// Answers are kept by the worker itself, where they are kept.
void PlanWork::ask_answer(uint32_t unit, Wanted& one, JobResult& done) {
  const uint32_t visual = table_.visual_of_unit(unit);
  models::WorkerQuestion question = shown_question(visual, table_.asker(unit));
  question.repeat = table_.repeat_of(unit);
  for (const uint32_t text : table_.texts_of(unit)) question.texts.push_back(table_.prompt(text));
  Result<models::WorkerReply> reply =
      parts_.in_network([&] { return worker_->answer(question, parts_.is_stopped); });
  num_visuals_ += visual != Table::kNoVisual ? 1 : 0;
  if (!reply) {
    one.failure = reply.error();
    return;
  }
  note_frames(visual, reply->frames);
  done.reply = std::move(reply).value();
}

}  // namespace snellen::inference
