// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/remembering_scorer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "snellen/base/files.h"
#include "snellen/run/network/visual_key.h"

namespace snellen::run {
namespace {

// What a row is of; part of its key.
enum class RowKind : char { kVisual = 'v', kFrames = 'f', kText = 't', kPair = 'p' };

ContentKey row_key(RowKind kind, const ContentKey& visual, std::string_view text = {}) {
  std::string content(1, static_cast<char>(kind));
  content.append(reinterpret_cast<const char*>(&visual), sizeof visual).append(text);
  return content_key(content);
}

// One of a job: its key when it has one, and the row where the cache had it.
struct Sought {
  std::optional<ContentKey> content;
  std::optional<ContentKey> key;
  bool is_found = false;
  std::vector<float> row;
};

class RememberingScorer final : public Scorer {
 public:
  RememberingScorer(std::unique_ptr<Scorer> inner,
                    const NetworkParts& parts,
                    store::RowCache& cache)
      : inner_(std::move(inner)), parts_(parts), cache_(cache) {}

  AskPlanOptions plan_options() const override { return inner_->plan_options(); }
  uint32_t visuals_a_job() const override { return inner_->visuals_a_job(); }
  uint32_t texts_a_job() const override { return inner_->texts_a_job(); }
  void start(const AskPlan& plan) override {
    plan_ = &plan;
    inner_->start(plan);
  }
  void keep(JobDone&& done) override { inner_->keep(std::move(done)); }
  uint32_t stands_for(uint32_t visual) const override { return inner_->stands_for(visual); }
  Result<std::vector<double>> score(const models::Ask& ask) const override {
    return inner_->score(ask);
  }
  models::Shown shown(const models::Ask& ask) const override { return inner_->shown(ask); }
  WorkCounts counts() const override { return inner_->counts(); }

  JobDone work(const Job& job) override {
    const bool is_of_pairs = job.kind == Job::Kind::kVisuals && plan_options().has_pairs;
    return is_of_pairs ? work_on_pairs(job) : work_on_rows(job);
  }

 private:
  // Nothing for what cannot be read; whoever works on it says why.
  std::optional<ContentKey> content_of(uint32_t visual) const {
    const Result<media::VisualPlace>& place = plan_->visual(visual);
    if (!place) return std::nullopt;
    try {
      MappedFile file(place->path);
      const ContentKey bytes = content_key(file.bytes());
      return visual_key(*place, {reinterpret_cast<const char*>(&bytes), sizeof bytes});
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  bool is_clip(uint32_t visual) const { return plan_->visual(visual)->clip.has_value(); }

  // A clip is known when the frames that were shown are.
  bool find_frames(uint32_t visual, const ContentKey& content) {
    std::vector<float> row;
    if (!cache_.find(row_key(RowKind::kFrames, content), row) || row.empty()) return false;
    inner_->restore_frames(visual, {row.begin(), row.end()});
    return true;
  }
  void add_frames(uint32_t visual, const ContentKey& content) {
    const media::FrameIndices frames = inner_->frames_seen(visual);
    constexpr int64_t kExactInFloat = int64_t{1} << 24;
    if (std::any_of(frames.begin(), frames.end(), [](int64_t f) { return f >= kExactInFloat; }))
      return;
    cache_.add(row_key(RowKind::kFrames, content),
               std::vector<float>(frames.begin(), frames.end()));
  }

  std::vector<Sought> look_up(const Job& job) {
    std::vector<Sought> all(job.end - job.begin);
    for (uint32_t id = job.begin; id < job.end; ++id) {
      Sought& one = all[id - job.begin];
      if (job.kind == Job::Kind::kTexts) {
        one.key = row_key(RowKind::kText, {}, plan_->text(id));
        one.is_found = cache_.find(*one.key, one.row);
        if (one.is_found) inner_->note_texts(std::array{id});
        continue;
      }
      one.content = content_of(id);
      if (!one.content) continue;
      one.key = row_key(RowKind::kVisual, *one.content);
      one.is_found =
          cache_.find(*one.key, one.row) && (!is_clip(id) || find_frames(id, *one.content));
    }
    return all;
  }

  // Where a row of a visual has room for several frames, those that this one fills.
  size_t used_of(const Job& job, uint32_t id, size_t width) const {
    const size_t room = job.kind == Job::Kind::kTexts ? 1 : inner_->parts_a_row();
    return width / room * (room == 1 ? 1 : std::max<size_t>(1, inner_->frames_seen(id).size()));
  }
  size_t width_of(const Job& job, uint32_t id, size_t used) const {
    const size_t room = job.kind == Job::Kind::kTexts ? 1 : inner_->parts_a_row();
    return used / (room == 1 ? 1 : std::max<size_t>(1, inner_->frames_seen(id).size())) * room;
  }

  JobDone work_on_rows(const Job& job) {
    std::vector<Sought> all = look_up(job);
    JobDone done{.job = job};
    auto is_found = [](const Sought& one) { return one.is_found; };
    if (parts_.gpu_batch > 0 && !std::all_of(all.begin(), all.end(), is_found)) {
      compute(job, all, done);
      return done;
    }
    for (uint32_t begin = job.begin; begin < job.end;) {
      if (all[begin - job.begin].is_found) {
        ++begin;
        continue;
      }
      uint32_t end = begin;
      while (end < job.end && !all[end - job.begin].is_found) ++end;
      compute({job.kind, begin, end, job.first_ask}, all, done);
      begin = end;
    }
    for (uint32_t id = job.begin; id < job.end; ++id) {
      const Sought& one = all[id - job.begin];
      if (one.is_found) place(one.row, id, width_of(job, id, one.row.size()), done);
    }
    return done;
  }

  static void place(std::span<const float> row, uint32_t id, size_t width, JobDone& done) {
    if (done.width == 0) {
      done.width = width;
      done.values.resize(width * (done.job.end - done.job.begin));
    }
    SNELLEN_CHECK(done.width == width && row.size() <= width);
    std::copy(row.begin(),
              row.end(),
              done.values.begin() + static_cast<std::ptrdiff_t>((id - done.job.begin) * width));
  }

  // Computes a stretch of a job and adds it to what is done and to the cache.
  void compute(const Job& stretch, const std::vector<Sought>& all, JobDone& done) {
    JobDone part = inner_->work(stretch);
    for (uint32_t id = stretch.begin; part.width > 0 && id < stretch.end; ++id) {
      std::span<const float> row =
          std::span(part.values).subspan((id - stretch.begin) * part.width, part.width);
      place(row, id, part.width, done);
      const Sought& one = all[id - done.job.begin];
      const bool is_its_own = stretch.kind == Job::Kind::kTexts || inner_->stands_for(id) == id;
      if (!one.key || one.is_found || !is_its_own || part.failures.contains(id)) continue;
      if (stretch.kind == Job::Kind::kVisuals && is_clip(id)) add_frames(id, *one.content);
      cache_.add(*one.key, row.first(used_of(stretch, id, part.width)));
    }
    done.failures.merge(part.failures);
  }

  JobDone work_on_pairs(const Job& job) {
    SNELLEN_CHECK(job.end == job.begin + 1);
    const std::optional<ContentKey> content = content_of(job.begin);
    if (!content) return inner_->work(job);
    std::span<const uint32_t> texts = plan_->texts_of(job.begin);
    std::vector<bool> is_found;
    JobDone done{.job = job};
    std::vector<float> row;
    for (uint32_t text : texts) {
      is_found.push_back(cache_.find(pair_key(*content, text), row) && row.size() == 1);
      done.values.push_back(is_found.back() ? row.front() : 0);
    }
    const bool has_all = std::find(is_found.begin(), is_found.end(), false) == is_found.end();
    if (has_all && (!is_clip(job.begin) || find_frames(job.begin, *content))) {
      inner_->note_texts(texts);
      return done;
    }
    done = inner_->work(job);
    if (!done.failures.empty()) return done;
    if (is_clip(job.begin)) add_frames(job.begin, *content);
    for (size_t i = 0; i < done.values.size(); ++i) {
      if (!is_found[i])
        cache_.add(pair_key(*content, texts[i]), std::span(done.values).subspan(i, 1));
    }
    return done;
  }
  ContentKey pair_key(const ContentKey& content, uint32_t text) const {
    return row_key(RowKind::kPair, content, plan_->text(text));
  }

  std::unique_ptr<Scorer> inner_;
  const NetworkParts& parts_;
  store::RowCache& cache_;
  const AskPlan* plan_ = nullptr;
};

}  // namespace

std::unique_ptr<Scorer> make_remembering_scorer(std::unique_ptr<Scorer> inner,
                                                const NetworkParts& parts,
                                                store::RowCache& cache) {
  return std::make_unique<RememberingScorer>(std::move(inner), parts, cache);
}

}  // namespace snellen::run
