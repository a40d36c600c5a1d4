// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/table.h"

#include <algorithm>
#include <array>

#include "snellen/base/seen_keys.h"
#include "snellen/base/splitmix.h"
#include "snellen/inference/visuals/visual_key.h"

namespace snellen::inference {
namespace {

// The numbers of a few strings of one ask, by where they lie: its cells name each of them often.
class RecentIds {
 public:
  // Calls `look_up` where the string is not one of them.
  template <typename LookUp>
  uint32_t id(uint64_t ask, std::string_view text, const LookUp& look_up) {
    Known& known = known_[reinterpret_cast<uintptr_t>(text.data()) / sizeof(std::string) % kMost];
    if (known.ask != ask || known.text.data() != text.data() || known.text.size() != text.size())
      known = {ask, text, look_up()};
    return known.id;
  }

 private:
  static constexpr size_t kMost = 16;
  struct Known {
    uint64_t ask = ~uint64_t{0};
    std::string_view text = {};
    uint32_t id = 0;
  };
  std::array<Known, kMost> known_;
};

// What of an ask was visited before. Asked from many threads.
class KnownThings {
 public:
  explicit KnownThings(const TableOptions& options) : options_(options) {}

  bool has(const models::Ask& ask) const {
    return for_keys(ask, [&](const ContentKey& key) { return keys_.has(key); });
  }
  void add(const models::Ask& ask) {
    for_keys(ask, [&](const ContentKey& key) {
      keys_.add(key);
      return true;
    });
  }

 private:
  static constexpr uint64_t kTextSalt = ~uint64_t{0};  // no task has this number

  // Until one is answered with false; whether none was.
  template <typename Answer>
  bool for_keys(const models::Ask& ask, const Answer& answer) const {
    return std::all_of(ask.cells.begin(), ask.cells.end(), [&](const models::Cell& cell) {
      const ContentKey text = content_key(cell.text, kTextSalt);
      if (!answer(text)) return false;
      if (!options_.has_visuals) return true;
      const ContentKey visual = content_key(cell.visual, ask.task);
      if (!answer(visual)) return false;
      return !options_.has_pairs || answer(ContentKey{splitmix64(visual.low ^ text.high),
                                                      splitmix64(visual.high ^ text.low)});
    });
  }

  TableOptions options_;
  SeenKeys keys_;
};

}  // namespace

Table::Table(const models::AskSource& asks, const TableOptions& options) : options_(options) {
  RecentIds recent_texts, recent_visuals;
  std::vector<std::vector<uint32_t>> texts_of_visual;
  KnownThings known(options);
  auto visit = [&](const models::Ask& ask) {
    for (const models::Cell& cell : ask.cells) {
      const uint32_t text = recent_texts.id(num_asks_, cell.text, [&] {
        const size_t before = texts_.size();
        const uint32_t id = texts_.add(cell.text);
        if (texts_.size() > before) text_first_ask_.push_back(num_asks_);
        return id;
      });
      ++num_cells_;
      if (!options_.has_visuals) continue;
      const uint32_t visual =
          recent_visuals.id(num_asks_, cell.visual, [&] { return add_visual(ask, cell.visual); });
      if (!options_.has_pairs) continue;
      texts_of_visual.resize(visuals_.size());
      // Most repeats follow each other; the rest are sorted out below.
      std::vector<uint32_t>& texts = texts_of_visual[visual];
      if (texts.empty() || texts.back() != text) texts.push_back(text);
    }
    ++num_asks_;
    known.add(ask);
  };
  asks({.visit = visit,
        .is_known = [&](const models::Ask& ask) { return known.has(ask); },
        .pass =
            [&](size_t num_cells) {
              num_cells_ += num_cells;
              ++num_asks_;
            }});
  pair_begins_.assign(1, 0);
  for (std::vector<uint32_t>& texts : texts_of_visual) {
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    pairs_.insert(pairs_.end(), texts.begin(), texts.end());
    pair_begins_.push_back(pairs_.size());
    texts = {};
  }
}

uint32_t Table::add_visual(const models::Ask& ask, std::string_view name) {
  auto [id, is_new] = names_.add(content_key(name, ask.task));
  if (!is_new) return visual_of_name_[id];
  Result<media::VisualPlace> place = ask.locate(name);
  // One that cannot be placed is a visual of its own, with its reason.
  ContentKey key = place ? visual_key(*place, place->path.native())
                         : content_key(name, uint64_t{ask.task} + (1U << 20));
  auto [visual, is_new_place] = paths_.add(key);
  if (is_new_place) {
    visuals_.push_back(std::move(place));
    visual_first_ask_.push_back(num_asks_);
  }
  visual_of_name_.push_back(visual);
  return visual;
}

std::span<const uint32_t> Table::texts_of(uint32_t visual) const {
  return std::span(pairs_).subspan(pair_begins_[visual],
                                   pair_begins_[visual + 1] - pair_begins_[visual]);
}

uint32_t Table::visual_id(const models::Ask& ask, std::string_view visual) const {
  uint32_t name = names_.find(content_key(visual, ask.task));
  SNELLEN_CHECK(name != DistinctIds::kAbsent);
  return visual_of_name_[name];
}

uint64_t Table::pair_id(uint32_t visual, uint32_t text) const {
  std::span<const uint32_t> texts = texts_of(visual);
  auto found = std::lower_bound(texts.begin(), texts.end(), text);
  SNELLEN_CHECK(found != texts.end() && *found == text);
  return first_pair(visual) + static_cast<uint64_t>(found - texts.begin());
}

std::vector<Job> Table::jobs(uint32_t visuals_per_job, uint32_t texts_per_job) const {
  std::vector<Job> jobs;
  auto add = [&](Job::Kind kind, const std::vector<uint64_t>& first_asks, uint32_t step) {
    auto count = static_cast<uint32_t>(first_asks.size());
    for (uint32_t begin = 0; begin < count; begin += step)
      jobs.push_back({kind, begin, std::min(count, begin + step), first_asks[begin]});
  };
  if (texts_per_job > 0) add(Job::Kind::kTexts, text_first_ask_, texts_per_job);
  if (visuals_per_job > 0) add(Job::Kind::kVisuals, visual_first_ask_, visuals_per_job);
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
    return a.first_ask < b.first_ask;
  });
  return jobs;
}

}  // namespace snellen::inference
