// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/table.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/splitmix.h"
#include "snellen/inference/visuals/visual_key.h"
#include "snellen/media/placed_picture.h"

namespace snellen::inference {
namespace {

constexpr uint64_t kTextSalt = ~uint64_t{0};  // no task has these numbers
constexpr uint64_t kListSalt = kTextSalt - 1;
constexpr uint64_t kAnswerSalt = kListSalt - 1;
constexpr uint32_t kUnknown = ~uint32_t{0};

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

bool asks_all(const models::Ask& ask, const questions::Question& question) {
  return ask.texts->shared() && question.texts.size() == ask.texts->size();
}

ContentKey both(const ContentKey& a, const ContentKey& b) {
  return {splitmix64(a.low ^ b.high), splitmix64(a.high ^ b.low)};
}

}  // namespace

// Until one key is answered with false; whether none was.
template <typename Answer>
bool Table::for_keys(const models::Ask& ask, const Answer& answer) const {
  for (const questions::Question& question : ask.questions) {
    if (is_left_out(question)) continue;
    const questions::Visual* visible = shown(ask, question);
    const ContentKey visual = visible ? content_key(visible->name, ask.task) : ContentKey{};
    if (options_.has_visuals && visible && !answer(visual)) return false;
    ContentKey list = visual;
    auto add_text = [&](const ContentKey& text) {
      list = both(list, text);
      if (!answer(text)) return false;
      return !options_.has_pairs || answer(both(visual, text));
    };
    if (asks_all(ask, question)) {
      const void* place = ask.texts->shared().get();
      if (!add_text(content_key(bytes_of(place), kListSalt))) return false;
    } else {
      for (const uint32_t text : question.texts) {
        const questions::Text& one = (*ask.texts)[text];
        if (!add_text(one.is_ensemble ? content_key(key_of(one), kTextSalt)
                                      : content_key(one.prompt, kTextSalt)))
          return false;
      }
    }
    if (question.wants == questions::Wants::kAnswer)
      list = both(list, content_key(bytes_of(question.repeat), kAnswerSalt));
    if (options_.has_questions && !answer(list)) return false;
  }
  return true;
}

bool Table::knows(const models::Ask& ask) const {
  return for_keys(ask, [&](const ContentKey& key) { return seen_.has(key); });
}

bool Table::has_all(const models::Ask& ask) const {
  if (ask.texts->shared()) return knows(ask);
  const auto has_text = [&](uint32_t number) {
    const questions::Text& text = (*ask.texts)[number];
    return texts_.find(text.is_ensemble ? key_of(text) : text.prompt) != text::StringPool::kAbsent;
  };
  return std::all_of(
      ask.questions.begin(), ask.questions.end(), [&](const questions::Question& question) {
        const questions::Visual* visible = shown(ask, question);
        const bool has_visual =
            !options_.has_visuals || !visible ||
            names_.find(content_key(visible->name, ask.task)) != DistinctIds::kAbsent;
        return has_visual && !is_left_out(question) &&
               std::all_of(question.texts.begin(), question.texts.end(), has_text);
      });
}

void Table::add_known(size_t num_scores) {
  num_scores_ += num_scores;
  ++num_asks_;
}

void Table::add(const models::Ask& ask) {
  const std::vector<uint32_t>* shared = ask.texts->shared() ? &add_shared(*ask.texts) : nullptr;
  std::vector<uint32_t> own(shared ? 0 : ask.texts->size(), kUnknown);
  auto text_id = [&](uint32_t text) {
    if (shared) return (*shared)[text];
    if (own[text] == kUnknown) own[text] = add_text((*ask.texts)[text]);
    return own[text];
  };
  for (size_t number = 0; number < ask.questions.size(); ++number) {
    const questions::Question& question = ask.questions[number];
    num_scores_ += questions::num_scores(question);
    if (is_left_out(question)) continue;
    const questions::Visual* visible = shown(ask, question);
    const uint32_t visual = options_.has_visuals && visible ? add_visual(ask, *visible) : kNoVisual;
    if (options_.has_questions) {
      add_question(ask, number, visual, text_id);
      continue;
    }
    if (options_.has_visuals && !visible) continue;  // fails when it is asked
    if (options_.keeps_items && askers_.size() < visuals_.size())
      askers_.push_back({ask.task, std::string(ask.item), static_cast<uint32_t>(number)});
    std::vector<uint32_t>* pairs = nullptr;
    if (options_.has_pairs) {
      texts_of_visual_.resize(visuals_.size());
      pairs = &texts_of_visual_[visual];
    } else if (shared) {
      continue;  // all were added
    }
    for (const uint32_t text : question.texts) {
      const uint32_t id = text_id(text);
      // Most repeats follow each other; finish() sorts out the rest.
      if (pairs && (pairs->empty() || pairs->back() != id)) pairs->push_back(id);
    }
  }
  ++num_asks_;
  for_keys(ask, [&](const ContentKey& key) {
    seen_.add(key);
    return true;
  });
}

void Table::add_question(const models::Ask& ask,
                         size_t number,
                         uint32_t visual,
                         const std::function<uint32_t(uint32_t)>& text_id) {
  const questions::Question& question = ask.questions[number];
  if (!question_keys_.add(question_key(visual, question, text_id)).is_new) return;
  const bool wants_answer = question.wants == questions::Wants::kAnswer;
  questions_.push_back({visual, num_asks_, wants_answer, question.repeat});
  for (const uint32_t text : question.texts) pairs_.push_back(text_id(text));
  unit_begins_.push_back(pairs_.size());
  if (options_.keeps_items)
    askers_.push_back({ask.task, std::string(ask.item), static_cast<uint32_t>(number)});
}

void Table::finish() {
  for (std::vector<uint32_t>& texts : texts_of_visual_) {
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    pairs_.insert(pairs_.end(), texts.begin(), texts.end());
    unit_begins_.push_back(pairs_.size());
    texts = {};
  }
  texts_of_visual_ = {};
  const bool has_batches = options_.visuals_per_batch > 0 && !options_.has_pairs &&
                           !options_.has_questions && !options_.keeps_items;
  if (has_lanes_ && has_batches) part_lanes();
}

// Numbers the visuals anew: the first batch of each lane, the second of each, and so on. A picture
// and what controls make of it stay close together, and the batches of lane 0 are those that it
// would have alone.
void Table::part_lanes() {
  std::vector<std::pair<uint32_t, uint32_t>> batch_and_lane;
  std::vector<uint32_t> count;  // by lane
  for (const KnownVisual& known : visuals_) {
    if (known.lane >= count.size()) count.resize(known.lane + 1);
    batch_and_lane.emplace_back(count[known.lane]++ / options_.visuals_per_batch, known.lane);
  }
  std::vector<uint32_t> order(visuals_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return batch_and_lane[a] < batch_and_lane[b];
  });
  std::vector<uint32_t> number(order.size());  // by the old one
  std::vector<KnownVisual> visuals;
  std::vector<uint64_t> first_ask;
  for (uint32_t place = 0; place < order.size(); ++place) {
    const uint32_t old = order[place];
    number[old] = place;
    if (place == 0 || batch_and_lane[old] != batch_and_lane[order[place - 1]])
      batch_begins_.push_back(place);
    visuals.push_back(std::move(visuals_[old]));
    // Jobs are done in the order of their numbers.
    first_ask.push_back(std::max(first_ask.empty() ? 0 : first_ask.back(), visual_first_ask_[old]));
  }
  visuals_ = std::move(visuals);
  visual_first_ask_ = std::move(first_ask);
  for (uint32_t& visual : visual_of_name_) visual = number[visual];
}

std::string Table::key_of(const questions::Text& ensemble) {
  std::string key = kEnsembleMark + ensemble.prompt;
  for (const std::string& prompt : ensemble.more_prompts) (key += kEnsembleMark) += prompt;
  return key;
}

std::vector<std::string_view> Table::prompts(uint32_t text) const {
  std::string_view key = texts_[text];
  if (!is_ensemble(text)) return {key};
  std::vector<std::string_view> prompts;
  while (!key.empty()) {
    const size_t end = std::min(key.find(kEnsembleMark, 1), key.size());
    prompts.push_back(key.substr(1, end - 1));
    key.remove_prefix(end);
  }
  return prompts;
}

uint32_t Table::add_text(const questions::Text& text) {
  const size_t before = texts_.size();
  const uint32_t id = text.is_ensemble ? texts_.add(key_of(text)) : texts_.add(text.prompt);
  if (texts_.size() > before) text_first_ask_.push_back(num_asks_);
  has_ensembles_ = has_ensembles_ || text.is_ensemble;
  return id;
}

const std::vector<uint32_t>& Table::add_shared(const questions::Texts& texts) {
  const auto [found, is_new] = shared_.try_emplace(texts.shared().get());
  if (is_new) {
    found->second.list = texts.shared();
    for (const questions::Text& text : texts) found->second.ids.push_back(add_text(text));
  }
  return found->second.ids;
}

uint32_t Table::add_visual(const models::Ask& ask, const questions::Visual& visual) {
  auto [id, is_new] = names_.add(content_key(visual.name, ask.task));
  if (!is_new) return visual_of_name_[id];
  auto place_of = [&]() -> Result<media::VisualPlace> {
    try {
      return visual.place();
    } catch (const Error& error) {
      if (!options_.forgives_places) throw;
      return error;
    }
  };
  Result<media::VisualPlace> place = place_of();
  // One that cannot be placed is a visual of its own, with its reason.
  ContentKey key = visual.drawn() ? content_key(visual.drawn()->key, kTextSalt)
                   : !place       ? content_key(visual.name, uint64_t{ask.task} + (1U << 20))
                   : media::shows_no_picture(*place) ? content_of_nothing()
                                                     : visual_key(*place, place->path.native());
  auto [content, is_new_content] = contents_.add(key);
  if (is_new_content) {
    visuals_.push_back({visual.drawn() ? visual : questions::Visual{}, std::move(place), ask.lane});
    visual_first_ask_.push_back(num_asks_);
    has_lanes_ = has_lanes_ || ask.lane > 0;
  }
  visual_of_name_.push_back(content);
  return content;
}

std::span<const uint32_t> Table::texts_of(uint32_t unit) const {
  return std::span(pairs_).subspan(unit_begins_[unit], unit_begins_[unit + 1] - unit_begins_[unit]);
}

Table::AskIds Table::ids_of(const models::Ask& ask) const {
  AskIds ids;
  if (ask.texts->shared()) {
    ids.shared_ = &shared_.at(ask.texts->shared().get()).ids;
  } else {
    ids.own_.reserve(ask.texts->size());
    for (const questions::Text& text : *ask.texts)
      ids.own_.push_back(text.is_ensemble ? texts_.find(key_of(text)) : texts_.find(text.prompt));
  }
  for (const questions::Question& question : ask.questions) {
    uint32_t visual = kNoVisual;
    const questions::Visual* visible = shown(ask, question);
    if (is_left_out(question)) {
      ids.visuals_.push_back(kNoVisual);
      ids.questions_.push_back(kUnknown);
      continue;
    }
    if (options_.has_visuals && visible) {
      const uint32_t name = names_.find(content_key(visible->name, ask.task));
      SNELLEN_CHECK(name != DistinctIds::kAbsent);
      visual = visual_of_name_[name];
    }
    ids.visuals_.push_back(visual);
    if (!options_.has_questions) continue;
    const uint32_t id = question_keys_.find(
        question_key(visual, question, [&](uint32_t text) { return ids.text(text); }));
    SNELLEN_CHECK(id != DistinctIds::kAbsent);
    ids.questions_.push_back(id);
  }
  return ids;
}

uint64_t Table::pair_id(uint32_t visual, uint32_t text) const {
  std::span<const uint32_t> texts = texts_of(visual);
  auto found = std::lower_bound(texts.begin(), texts.end(), text);
  SNELLEN_CHECK(found != texts.end() && *found == text);
  return first_value(visual) + static_cast<uint64_t>(found - texts.begin());
}

ContentKey Table::question_key(uint32_t visual,
                               const questions::Question& question,
                               const std::function<uint32_t(uint32_t)>& text_id) {
  std::string key(bytes_of(visual));
  for (const uint32_t text : question.texts) key += bytes_of(text_id(text));
  if (question.wants == questions::Wants::kAnswer) (key += 'a') += bytes_of(question.repeat);
  return content_key(key);
}

std::vector<Job> Table::jobs(uint32_t visuals_per_job, uint32_t texts_per_job) const {
  std::vector<Job> jobs;
  auto add = [&](Job::Kind kind, size_t count, uint32_t step, const auto& first_ask) {
    for (uint32_t begin = 0; begin < count; begin += step)
      jobs.push_back({kind,
                      begin,
                      static_cast<uint32_t>(std::min<size_t>(count, begin + step)),
                      first_ask(begin)});
  };
  if (texts_per_job > 0)
    add(Job::Kind::kTexts, texts_.size(), texts_per_job, [&](uint32_t id) {
      return text_first_ask_[id];
    });
  for (size_t i = 0; visuals_per_job > 0 && i < batch_begins_.size(); ++i)
    jobs.push_back({Job::Kind::kVisuals,
                    batch_begins_[i],
                    i + 1 < batch_begins_.size() ? batch_begins_[i + 1] : num_visuals(),
                    visual_first_ask_[batch_begins_[i]]});
  if (visuals_per_job > 0 && batch_begins_.empty())
    add(Job::Kind::kVisuals,
        options_.has_questions ? questions_.size() : visuals_.size(),
        visuals_per_job,
        [&](uint32_t id) {
          return options_.has_questions ? questions_[id].first_ask : visual_first_ask_[id];
        });
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
    return a.first_ask < b.first_ask;
  });
  return jobs;
}

}  // namespace snellen::inference
