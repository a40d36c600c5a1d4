// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/remembering_scorer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "snellen/base/files.h"
#include "snellen/inference/visuals/visual_key.h"

namespace snellen::inference {
namespace {

// What a row is of; part of its key.
enum class RowKind : char { kVisual = 'v', kFrames = 'f', kText = 't', kPair = 'p' };

ContentKey row_key(RowKind kind, const ContentKey& visual, std::string_view text = {}) {
  std::string content(1, static_cast<char>(kind));
  content.append(reinterpret_cast<const char*>(&visual), sizeof visual).append(text);
  return content_key(content);
}

// A visual or text of a job: what it is known by, and what a source has of it.
struct Sought {
  // Under which a failure is remembered: a text, or the file and what is shown of it.
  std::optional<ContentKey> name = {};
  std::optional<ContentKey> content = {};  // of a visual that could be read
  std::optional<ContentKey> key = {};      // of its row
  bool is_new = true;                      // its name was not met in this process
  bool is_found = false;
  bool is_own = false;                // this process has had the row before
  bool is_cached = false;             // the cache has it
  std::optional<Error> failure = {};  // this process tried
  std::vector<float> row = {};

  bool is_open() const { return !is_found && !failure; }
};

class CachingBackend final : public Backend {
 public:
  CachingBackend(std::unique_ptr<Backend> inner,
                    const NetworkParts& parts,
                    const RowSources& sources)
      : inner_(std::move(inner)), parts_(parts), memory_(sources.memory), cache_(sources.cache) {}

  TableOptions plan_options() const override { return inner_->plan_options(); }
  uint32_t visuals_per_job() const override { return inner_->visuals_per_job(); }
  uint32_t texts_per_job() const override { return inner_->texts_per_job(); }
  void start(const Table& plan) override {
    plan_ = &plan;
    inner_->start(plan);
    for (uint32_t id = 0; memory_ && id < plan.num_texts(); ++id) {
      if (!memory_->note(text_key(id))) ++num_known_texts_;
    }
  }
  void keep(JobDone&& done) override { inner_->keep(std::move(done)); }
  uint32_t stands_for(uint32_t visual) const override { return inner_->stands_for(visual); }
  Result<std::vector<double>> score(const models::Ask& ask) const override {
    return inner_->score(ask);
  }
  models::Shown shown(const models::Ask& ask) const override { return inner_->shown(ask); }
  WorkCounts counts() const override {
    WorkCounts counts = inner_->counts();
    counts.known_visuals += num_known_visuals_;
    counts.known_texts += num_known_texts_;
    counts.same_content += num_same_content_;
    return counts;
  }

  JobDone work(const Job& job) override {
    const bool is_of_pairs = job.kind == Job::Kind::kVisuals && plan_options().has_pairs;
    return is_of_pairs ? work_on_pairs(job) : work_on_rows(job);
  }

 private:
  // Whether a row is there, and whether this process made it.
  struct Found {
    bool is_there = false;
    bool is_own = false;
    float score = 0;  // of a pair
  };
  Found find(const ContentKey& key, std::vector<float>& row) {
    if (memory_ && memory_->find_row(key, row)) return {.is_there = true, .is_own = true};
    return {.is_there = cache_ && cache_->find(key, row)};
  }
  void add(const ContentKey& key, std::span<const float> row, bool is_cached = false) {
    if (memory_) memory_->add_row(key, row);
    if (cache_ && !is_cached) cache_->add(key, row);
  }

  // Nothing for what cannot be read; whoever works on it says why.
  std::optional<ContentKey> content_of(const media::VisualPlace& place, const ContentKey& path) {
    if (std::optional<ContentKey> known = memory_ ? memory_->content(path) : std::nullopt)
      return known;
    try {
      MappedFile file(place.path);
      const ContentKey bytes = content_key(file.bytes());
      const ContentKey content =
          visual_key(place, {reinterpret_cast<const char*>(&bytes), sizeof bytes});
      if (memory_) memory_->add_content(path, content);
      return content;
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  ContentKey text_key(uint32_t text) const {
    return row_key(RowKind::kText, {}, plan_->text(text));
  }
  bool is_clip(uint32_t visual) const { return plan_->visual(visual)->clip.has_value(); }

  // A clip is known when the frames that were shown are.
  bool find_frames(uint32_t visual, const ContentKey& content) {
    std::vector<float> row;
    if (!find(row_key(RowKind::kFrames, content), row).is_there || row.empty()) return false;
    inner_->restore_frames(visual, {row.begin(), row.end()});
    return true;
  }
  void add_frames(uint32_t visual, const ContentKey& content) {
    const media::FrameIndices frames = inner_->frames_seen(visual);
    constexpr int64_t kExactInFloat = int64_t{1} << 24;
    if (std::any_of(frames.begin(), frames.end(), [](int64_t f) { return f >= kExactInFloat; }))
      return;
    add(row_key(RowKind::kFrames, content), std::vector<float>(frames.begin(), frames.end()));
  }

  Sought sought_text(uint32_t id) {
    Sought one;
    one.key = one.name = text_key(id);
    if (memory_) one.failure = memory_->failure(*one.name);
    const Found found = find(*one.key, one.row);
    one.is_found = found.is_there;
    one.is_own = found.is_own;
    one.is_cached = found.is_there && !found.is_own;
    // What this process has read, it has counted.
    if (one.is_found && !one.is_own) inner_->note_texts(std::array{id});
    return one;
  }

  // Without its row.
  Sought sought_visual(uint32_t id) {
    Sought one;
    const Result<media::VisualPlace>& place = plan_->visual(id);
    if (!place) return one;
    one.name = visual_key(*place, place->path.native());
    one.content = content_of(*place, *one.name);
    if (!memory_) return one;
    one.is_new = memory_->note(*one.name);
    one.failure = memory_->failure(*one.name);
    if (!one.is_new) ++num_known_visuals_;
    return one;
  }

  void find_row_of_visual(uint32_t id, Sought& one) {
    if (!one.content) return;
    one.key = row_key(RowKind::kVisual, *one.content);
    const Found found = find(*one.key, one.row);
    one.is_found = found.is_there && (!is_clip(id) || find_frames(id, *one.content));
    one.is_own = found.is_own;
    one.is_cached = one.is_found && !one.is_own;
    if (one.is_own && one.is_new) ++num_same_content_;
  }

  std::vector<Sought> look_up(const Job& job) {
    std::vector<Sought> all;
    for (uint32_t id = job.begin; id < job.end; ++id) {
      const bool is_text = job.kind == Job::Kind::kTexts;
      all.push_back(is_text ? sought_text(id) : sought_visual(id));
      if (!is_text) find_row_of_visual(id, all.back());
    }
    return all;
  }

  // Where a row of a visual has room for several frames, those that this one fills.
  size_t used_of(const Job& job, uint32_t id, size_t width) const {
    const size_t room = job.kind == Job::Kind::kTexts ? 1 : inner_->parts_per_row();
    return width / room * (room == 1 ? 1 : std::max<size_t>(1, inner_->frames_seen(id).size()));
  }
  size_t width_of(const Job& job, uint32_t id, size_t used) const {
    const size_t room = job.kind == Job::Kind::kTexts ? 1 : inner_->parts_per_row();
    return used / (room == 1 ? 1 : std::max<size_t>(1, inner_->frames_seen(id).size())) * room;
  }

  JobDone work_on_rows(const Job& job) {
    std::vector<Sought> all = look_up(job);
    JobDone done{.job = job};
    auto is_open = [](const Sought& one) { return one.is_open(); };
    if (parts_.gpu_batch > 0 && std::any_of(all.begin(), all.end(), is_open)) {
      // The cache gives a job as a whole; what this process made, it need not make again.
      for (Sought& one : all) one.is_found = one.is_found && one.is_own;
    }
    for (uint32_t begin = job.begin; begin < job.end;) {
      uint32_t end = begin;
      while (end < job.end && all[end - job.begin].is_open()) ++end;
      if (end > begin) compute({job.kind, begin, end, job.first_ask}, all, done);
      begin = std::max(end, begin + 1);
    }
    for (uint32_t id = job.begin; id < job.end; ++id) {
      const Sought& one = all[id - job.begin];
      if (one.failure) done.failures.emplace(id, *one.failure);
      if (!one.is_found) continue;
      place(one.row, id, width_of(job, id, one.row.size()), done);
      if (memory_ && !one.is_own) memory_->add_row(*one.key, one.row);
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

  // Computes a stretch of a job and adds it to what is done and to the sources.
  void compute(const Job& stretch, const std::vector<Sought>& all, JobDone& done) {
    JobDone part = inner_->work(stretch);
    for (const auto& [id, failure] : part.failures) remember(failure, all[id - done.job.begin]);
    for (uint32_t id = stretch.begin; part.width > 0 && id < stretch.end; ++id) {
      std::span<const float> row =
          std::span(part.values).subspan((id - stretch.begin) * part.width, part.width);
      place(row, id, part.width, done);
      const Sought& one = all[id - done.job.begin];
      const bool is_its_own = stretch.kind == Job::Kind::kTexts || inner_->stands_for(id) == id;
      if (!one.key || !is_its_own || part.failures.contains(id)) continue;
      if (stretch.kind == Job::Kind::kVisuals && is_clip(id)) add_frames(id, *one.content);
      add(*one.key, row.first(used_of(stretch, id, part.width)), one.is_cached);
    }
    done.failures.merge(part.failures);
  }
  void remember(const Error& failure, const Sought& one) {
    if (memory_ && one.name) memory_->add_failure(*one.name, failure);
  }

  JobDone work_on_pairs(const Job& job) {
    SNELLEN_CHECK(job.end == job.begin + 1);
    const Sought visual = sought_visual(job.begin);
    if (visual.failure) return {.job = job, .failures = {{job.begin, *visual.failure}}};
    if (!visual.content) return inner_->work(job);
    const std::vector<Found> found = find_pairs(visual, job);
    JobDone done{.job = job};
    if (take_pairs(visual, found, done)) return done;
    done = inner_->work(job);
    if (!done.failures.empty()) {
      remember(done.failures.begin()->second, visual);
      return done;
    }
    if (is_clip(job.begin)) add_frames(job.begin, *visual.content);
    std::span<const uint32_t> texts = plan_->texts_of(job.begin);
    for (size_t i = 0; i < done.values.size(); ++i) {
      add(pair_key(*visual.content, texts[i]),
          std::span(done.values).subspan(i, 1),
          found[i].is_there && !found[i].is_own);
    }
    return done;
  }
  // The scores of a picture with its texts, where they are there.
  std::vector<Found> find_pairs(const Sought& visual, const Job& job) {
    std::vector<Found> all;
    std::vector<float> row;
    for (uint32_t text : plan_->texts_of(job.begin)) {
      Found found = find(pair_key(*visual.content, text), row);
      found.is_there = found.is_there && row.size() == 1;
      found.score = found.is_there ? row.front() : 0;
      all.push_back(found);
    }
    return all;
  }
  // False unless all are there.
  bool take_pairs(const Sought& visual, const std::vector<Found>& found, JobDone& done) {
    auto is_there = [](const Found& one) { return one.is_there; };
    if (!std::all_of(found.begin(), found.end(), is_there)) return false;
    const uint32_t id = done.job.begin;
    if (is_clip(id) && !find_frames(id, *visual.content)) return false;
    std::span<const uint32_t> texts = plan_->texts_of(id);
    for (size_t i = 0; i < found.size(); ++i) {
      done.values.push_back(found[i].score);
      if (found[i].is_own) continue;
      inner_->note_texts(texts.subspan(i, 1));
      if (memory_)
        memory_->add_row(pair_key(*visual.content, texts[i]), std::array{found[i].score});
    }
    return true;
  }
  ContentKey pair_key(const ContentKey& content, uint32_t text) const {
    return row_key(RowKind::kPair, content, plan_->text(text));
  }

  std::unique_ptr<Backend> inner_;
  const NetworkParts& parts_;
  ProcessRows* memory_;
  store::RowCache* cache_;
  const Table* plan_ = nullptr;
  std::atomic<uint64_t> num_known_visuals_ = 0;
  std::atomic<uint64_t> num_known_texts_ = 0;
  std::atomic<uint64_t> num_same_content_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_caching_backend(std::unique_ptr<Backend> inner,
                                                const NetworkParts& parts,
                                                const RowSources& sources) {
  return std::make_unique<CachingBackend>(std::move(inner), parts, sources);
}

}  // namespace snellen::inference
