// SPDX-License-Identifier: Apache-2.0
// What a run asks of a model, each distinct thing once. A pure function of the asks in their order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/base/seen_keys.h"
#include "snellen/models/model.h"
#include "snellen/text/string_pool.h"

namespace snellen::inference {

// A stretch of distinct visuals, texts or questions that is worked on together.
struct Job {
  enum class Kind { kVisuals, kTexts };
  Kind kind = Kind::kVisuals;
  uint32_t begin = 0;
  uint32_t end = 0;
  uint64_t first_ask = 0;  // the ask that needs it first: jobs are done in this order
};

struct TableOptions {
  bool has_visuals = true;  // false for models of text alone
  bool has_pairs = false;   // models that look at both together: which texts go with each visual
  // Models whose score of a text may depend on the texts beside it: what is worked on are distinct
  // questions, one visual with its texts in their order, in the place of visuals.
  bool has_questions = false;
  // Questions that want an answer are worked on too, as distinct questions; else they are left out.
  bool has_answers = false;
  bool takes_texts_alone = false;  // questions may show nothing
  bool keeps_items = false;  // the first item that asks about each visual or question is named
  // A visual that has no place because the settings name none fails its items alone.
  bool forgives_places = false;
  // Where asks have lanes: so many visuals of a lane are worked on together, and no others. 0:
  // lanes do not matter.
  uint32_t visuals_per_batch = 0;
};

// Const methods are safe from many threads; until finish() knows() alone.
class Table final : public models::AskPlan {
 public:
  explicit Table(const TableOptions& options) : options_(options) {}

  void add(const models::Ask& ask) override;
  bool knows(const models::Ask& ask) const override;
  void add_known(size_t num_scores) override;
  // All is added.
  void finish();
  // Whether every visual and text of the ask was added; knows() may have forgotten.
  bool has_all(const models::Ask& ask) const;

  uint64_t num_asks() const { return num_asks_; }
  uint64_t num_scores() const { return num_scores_; }
  uint32_t num_visuals() const { return static_cast<uint32_t>(visuals_.size()); }
  uint32_t num_texts() const { return static_cast<uint32_t>(texts_.size()); }
  // Distinct (visual, text) pairs, or the texts of all distinct questions; 0 unless the options
  // want them.
  uint64_t num_pairs() const { return pairs_.size(); }

  const questions::Visual& visual(uint32_t id) const { return visuals_[id].visual; }
  // Of a file; the reason where there is none.
  const Result<media::VisualPlace>& place(uint32_t id) const { return visuals_[id].place; }
  bool is_clip(uint32_t id) const { return place(id) && place(id)->clip.has_value(); }
  // What tells a text from all others: its prompt, or the prompts of an ensemble.
  std::string_view text(uint32_t id) const { return texts_[id]; }
  bool has_ensembles() const { return has_ensembles_; }
  bool is_ensemble(uint32_t text) const { return texts_[text].starts_with(kEnsembleMark); }
  std::vector<std::string_view> prompts(uint32_t text) const;
  // The only one, or the first.
  std::string_view prompt(uint32_t text) const {
    return is_ensemble(text) ? prompts(text).front() : texts_[text];
  }

  // A unit is a visual with all texts that are asked with it, ascending; or a distinct question.
  // Its texts have the values first_value .. of all.
  uint32_t num_units() const { return static_cast<uint32_t>(unit_begins_.size() - 1); }
  std::span<const uint32_t> texts_of(uint32_t unit) const;
  uint64_t first_value(uint32_t unit) const { return unit_begins_[unit]; }
  // kNoVisual for questions that show nothing, and for those of models of text alone.
  uint32_t visual_of_unit(uint32_t unit) const {
    return options_.has_questions ? questions_[unit].visual : unit;
  }
  static constexpr uint32_t kNoVisual = ~uint32_t{0};
  // Whether the unit is a question that wants an answer, and which of its repeats.
  bool wants_answer(uint32_t unit) const {
    return options_.has_questions && questions_[unit].wants_answer;
  }
  uint32_t repeat_of(uint32_t unit) const { return questions_[unit].repeat; }
  // Who asks about it first.
  struct Asker {
    uint32_t task = 0;
    std::string item = {};
    uint32_t question = 0;  // of the item's
  };
  const Asker& asker(uint32_t unit) const { return askers_[unit]; }

  // What an ask names, by number; it was added before.
  class AskIds {
   public:
    // By number of the question; kNoVisual where nothing is shown, and for models of text alone.
    uint32_t visual(size_t question) const { return visuals_[question]; }
    // Where questions are worked on.
    uint32_t question(size_t question) const { return questions_[question]; }
    // By number of the text in the ask.
    uint32_t text(uint32_t text) const { return shared_ ? (*shared_)[text] : own_[text]; }

   private:
    friend class Table;
    std::vector<uint32_t> visuals_;
    std::vector<uint32_t> questions_;
    std::vector<uint32_t> own_;
    const std::vector<uint32_t>* shared_ = nullptr;
  };
  AskIds ids_of(const models::Ask& ask) const;
  // The value of a text with a visual.
  uint64_t pair_id(uint32_t visual, uint32_t text) const;

  // In the order in which asks need them.
  std::vector<Job> jobs(uint32_t visuals_per_job, uint32_t texts_per_job) const;

 private:
  static constexpr char kEnsembleMark = '\xFF';  // no byte of UTF-8
  struct KnownVisual {
    questions::Visual visual;
    Result<media::VisualPlace> place;
    uint32_t lane = 0;  // of the ask that named it first
  };
  struct KnownQuestion {
    uint32_t visual = kNoVisual;
    uint64_t first_ask = 0;
    bool wants_answer = false;
    uint32_t repeat = 0;
  };

  // What is looked at; null where nothing is shown.
  const questions::Visual* shown(const models::Ask& ask,
                                 const questions::Question& question) const {
    const questions::Visual* visual = ask.shown(question);
    const bool is_nothing =
        visual != nullptr && options_.takes_texts_alone && questions::shows_nothing(*visual);
    return is_nothing ? nullptr : visual;
  }
  // Questions that this table knows nothing of.
  bool is_left_out(const questions::Question& question) const {
    return question.wants == questions::Wants::kAnswer && !options_.has_answers;
  }
  static std::string key_of(const questions::Text& ensemble);
  static ContentKey question_key(uint32_t visual,
                                 const questions::Question& question,
                                 const std::function<uint32_t(uint32_t)>& text_id);
  uint32_t add_text(const questions::Text& text);
  const std::vector<uint32_t>& add_shared(const questions::Texts& texts);
  uint32_t add_visual(const models::Ask& ask, const questions::Visual& visual);
  void part_lanes();
  void add_question(const models::Ask& ask,
                    size_t number,
                    uint32_t visual,
                    const std::function<uint32_t(uint32_t)>& text_id);
  template <typename Answer>
  bool for_keys(const models::Ask& ask, const Answer& answer) const;

  TableOptions options_;
  uint64_t num_asks_ = 0;
  uint64_t num_scores_ = 0;
  SeenKeys seen_;
  DistinctIds names_;  // (task, name)
  std::vector<uint32_t> visual_of_name_;
  DistinctIds contents_;  // paths, or keys of what is drawn, and what is shown of them
  std::vector<KnownVisual> visuals_;
  std::vector<uint64_t> visual_first_ask_;
  bool has_lanes_ = false;
  std::vector<uint32_t> batch_begins_;  // of visuals in lanes, since finish(); else none
  text::StringPool texts_;
  std::vector<uint64_t> text_first_ask_;
  bool has_ensembles_ = false;
  struct SharedList {
    std::shared_ptr<const questions::Texts::List> list;  // it keeps its place
    std::vector<uint32_t> ids;
  };
  std::unordered_map<const void*, SharedList> shared_;
  std::vector<std::vector<uint32_t>> texts_of_visual_;  // until finish()
  DistinctIds question_keys_;
  std::vector<KnownQuestion> questions_;
  std::vector<Asker> askers_;
  std::vector<uint64_t> unit_begins_ = {0};
  std::vector<uint32_t> pairs_;
};

}  // namespace snellen::inference
