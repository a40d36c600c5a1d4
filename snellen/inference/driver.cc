// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/driver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/seconds_since.h"
#include "snellen/inference/frontier.h"
#include "snellen/inference/plan_work.h"
#include "snellen/inference/visuals/visual_view.h"
#include "snellen/inference/work_pace.h"
#include "snellen/media/placed_picture.h"

namespace snellen::inference {
namespace {

// How many pictures go through the network at once: the most that were seen to fit, up to what
// pays. A GPU that decodes them too takes as long for one as for hundreds.
uint32_t measured_batch(const NetworkParts& parts, uint32_t wanted) {
  const uint32_t usual = parts.opened->decode ? 512 : 32;
  const uint32_t most = wanted > 0 ? wanted : usual;
  const int64_t side = parts.network().facts().image_size;
  const models::DualEncoder* dual = parts.network().dual();
  if (!dual || side == 0) return most;
  for (uint32_t batch = most; batch > 1; batch /= 2) {
    const std::vector<float> zeros(
        static_cast<size_t>(batch) * 3 * static_cast<size_t>(side * side), 0.0F);
    try {
      dual->embed_images({.count = batch, .height = side, .width = side, .values = zeros});
      return batch;
    } catch (const std::exception& thrown) {
      if (!parts.has_run_out(thrown)) throw;
    }
  }
  return 1;
}

std::string head_of(const models::Network* network, const DriverOptions& options) {
  if (!options.head.empty() || !network) return options.head;
  const std::vector<std::string>& heads = network->facts().heads;
  const bool has_raw_dot = std::find(heads.begin(), heads.end(), "raw_dot") != heads.end();
  return options.rules.prefers_raw_dot && has_raw_dot ? "raw_dot" : heads.front();
}

// On a GPU one batch is copied while another is computed, and a few wait, so that every core reads.
constexpr unsigned kForwardsOnGpu = 2;
constexpr unsigned kWaitingOnGpu = 8;

constexpr uint64_t kPictureBytes = uint64_t{256} << 20;  // decoded, needed for another variant
constexpr uint64_t kPixelBytes = uint64_t{1} << 30;      // prepared, on the disk

class Driver : public models::Model, public models::Observed {
 public:
  Driver(OpenedNetwork opened, const DriverOptions& options)
      : opened_(std::move(opened)),
        num_threads_(options.num_threads),
        num_workers_(opened_.worker
                         ? opened_.worker->traits().at_once
                         : options.num_threads + (options.is_on_gpu ? kWaitingOnGpu : 0)),
        stages_(opened_.worker ? num_workers_ : options.num_threads,
                options.is_on_gpu ? kForwardsOnGpu : num_workers_),
        pixels_(options.working_folder, kPixelBytes) {
    parts_ = {.opened = &opened_,
              .head = head_of(opened_.network.get(), options),
              .rules = options.rules,
              .is_compat = options.is_compat,
              .masks_clips = options.masks_clips,
              .is_asked_in_parts = options.is_asked_in_parts,
              .working_folder = options.working_folder,
              .stages = &stages_,
              .pictures = options.pictures,
              .pixels = &pixels_};
    if (options.is_on_gpu) {
      forwards_.emplace(kForwardsOnGpu);
      parts_.threads = &*forwards_;
      parts_.gpu_batch =
          parts_.in_thread([&] { return measured_batch(parts_, options.gpu_batch); });
      stamped_batch_ = options.gpu_batch > 0 ? options.gpu_batch : parts_.gpu_batch;
    }
    backend_ = make_backend(parts_);
    RowStore::Options kept{.folder = options.working_folder,
                           .keeps_process_rows = options.is_asked_in_parts};
    if (!options.cache.folder.empty()) kept.scope = scope_of(options.cache);
    store_ = std::make_unique<RowStore>(kept);
    if (options.pictures == nullptr) share_with_itself();
  }
  // Work that nobody waits for any more is given up.
  ~Driver() override { is_given_up_ = true; }

  bool looks() const override { return !opened_.worker || opened_.worker->traits().looks; }
  bool takes_no_picture() const override {
    if (!opened_.worker) return !backend_->traits().table.has_visuals;
    const models::WorkerTraits& traits = opened_.worker->traits();
    return !traits.looks || (traits.takes_texts_alone && !traits.embeds);
  }
  std::optional<int64_t> fixed_frames() const override { return backend_->traits().fixed_frames; }
  std::vector<Identity> identity() const override {
    if (opened_.worker) return opened_.worker->identity();
    std::vector<Identity> all = opened_.identity;
    for (const models::NetworkFact& fact : parts_.network().facts().stamp)
      all.push_back({fact.name, fact.value});
    all.push_back({"score", parts_.head});
    const AskingRules& rules = parts_.rules;
    if (rules.alpha_on_white) all.push_back({"transparency", "white"});
    if (rules.prepends_bos) all.push_back({"bos", "true"});
    if (rules.itm_score != "match") all.push_back({"itm_score", rules.itm_score});
    if (stamped_batch_ > 0) all.push_back({"gpu_batch", std::to_string(stamped_batch_)});
    return all;
  }

  models::AskPlan* plan() override {
    if (plan_) end_part();
    plan_begin_ = Clock::now();
    TableOptions asked = backend_->traits().table;
    asked.visuals_per_batch = backend_->traits().visuals_per_job;
    table_ = std::make_unique<Table>(asked);
    return table_.get();
  }

  void begin(const std::function<bool()>& is_stopped) override {
    table_->finish();
    plan_seconds_ += seconds_since(plan_begin_);
    parts_.is_stopped = is_stopped;
    announce_pictures();
    if (opened_.worker) opened_.worker->expect(expected_work());
    plan_ = std::make_unique<PlanWork>(*table_, parts_, *backend_, *store_);
    worker_ = std::jthread([this, is_stopped] { work_ahead(is_stopped); });
  }

  Result<questions::Scores> score(const models::Ask& ask) const override {
    // Twice: what answers for a visual with the bytes of another is known when it was read.
    const Table::AskIds ids = table_->ids_of(ask);
    if (std::optional<Error> misfit = plan_->misfit(ask, ids)) return *misfit;
    for (int turn = 0; turn < 2; ++turn) {
      if (!frontier_.wait(plan_->needs(ask, ids))) throw models::Stopped();
    }
    return plan_->score(ask, ids);
  }

  bool has_features() const override { return PlanWork::has_features(*backend_); }
  bool knows(const models::Ask& ask) const override { return plan_ && table_->has_all(ask); }
  Result<models::Features> features(const models::Ask& ask) const override {
    const Table::AskIds ids = table_->ids_of(ask);
    for (int turn = 0; turn < 2; ++turn) {
      if (!frontier_.wait(plan_->needs(ask, ids))) throw models::Stopped();
    }
    return plan_->features(ask, ids);
  }
  Result<models::View> view(const media::VisualPlace& place) const override {
    if (opened_.worker) return Error{ErrorCode::kNotFound, "what a program is shown is not known"};
    return view_of(place, parts_, backend_->traits());
  }

  // What a worker answered is recorded at once: it may end, or be stopped. Few wait, because
  // threads of its own work ahead.
  unsigned asks_at_once() const override {
    constexpr unsigned kMost = 4;
    return opened_.worker ? std::min(kMost, opened_.worker->traits().at_once) : 0;
  }

  uint64_t num_truncated() const override { return plan_ ? done_in_all().counts.num_truncated : 0; }

  std::string limited_by() const override {
    const double reading = stages_.reading.thread_seconds();
    const double decoding = stages_.decoding.thread_seconds();
    const double network = stages_.network.thread_seconds();
    if (reading + decoding + network <= 0) return {};
    if (decoding > std::max(reading, network)) return "decoding";
    return reading > network ? "reading" : "network";
  }

  Ahead ahead() const override { return pace_.ahead(now()); }

  std::vector<std::string> notes() const override {
    if (opened_.worker) return worker_notes();
    std::vector<std::string> notes = parts_.network().facts().warnings;
    if (!plan_) return notes;
    const Done done = done_in_all();
    const WorkCounts& counts = done.counts;
    notes.insert(
        notes.end(),
        {fmt::format("{} items requested {} scores for {} distinct visuals and {} distinct texts",
                     done.asks,
                     done.scores,
                     done.distinct_visuals,
                     done.distinct_texts),
         fmt::format(
             "{} decoded, {} visuals and {} texts through the network, {} pairs, {} visuals "
             "had the bytes of another",
             counts.decoded,
             counts.visuals,
             counts.texts,
             counts.pairs,
             counts.same_content),
         fmt::format("{} picture files read, each once", counts.read)});
    notes.push_back(work_note());
    if (parts_.gpu_batch < stamped_batch_) {
      notes.push_back(fmt::format(
          "the run began with GPU batches of {} pictures; now {} fit, so that scores may "
          "differ in their last digits from those of an uninterrupted run",
          stamped_batch_,
          parts_.gpu_batch));
    }
    if (counts.splits > 0) {
      notes.push_back(
          fmt::format("{} batches did not fit into the device's memory and were done in halves",
                      counts.splits));
    }
    if (counts.transparent > 0) {
      notes.push_back(
          fmt::format("{} pictures have an alpha channel or a transparent colour: {}",
                      counts.transparent,
                      parts_.rules.alpha_on_white
                          ? "they were laid on white"
                          : "alpha was dropped, as older processors do; today's put them on white "
                            "(--transparency white)"));
    }
    if (counts.num_truncated > 0) {
      notes.push_back(fmt::format(
          "{} texts are longer than the model accepts and were truncated, for example: {}",
          counts.num_truncated,
          fmt::join(counts.truncated, " | ")));
    }
    if (store_->disk()) add_cache_notes(*store_->disk(), notes);
    return notes;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double now() { return seconds_since(Clock::time_point()); }

  models::ExpectedWork expected_work() const {
    models::ExpectedWork work;
    for (uint32_t unit = 0; unit < table_->num_units(); ++unit) {
      const std::span<const uint32_t> texts = table_->texts_of(unit);
      const uint64_t num_requests = table_->wants_answer(unit) ? 1 : texts.size();
      (table_->wants_answer(unit) ? work.answers : work.scores) += num_requests;
      const uint32_t visual = table_->visual_of_unit(unit);
      if (visual != Table::kNoVisual)
        (table_->is_clip(visual) ? work.clips : work.pictures) += num_requests;
      for (const uint32_t text : texts) work.text_bytes += table_->text(text).size();
    }
    return work;
  }

  std::vector<std::string> worker_notes() const {
    std::vector<std::string> notes = opened_.worker->notes();
    if (plan_) {
      const Done done = done_in_all();
      notes.push_back(
          fmt::format("{} items requested {} scores for {} distinct visuals and {} distinct texts",
                      done.asks,
                      done.scores,
                      done.distinct_visuals,
                      done.distinct_texts));
      const uint64_t num_decoded =
          num_decoded_before_ + (own_client_ ? own_client_->num_decoded() : 0);
      if (num_decoded > 0) notes.push_back(fmt::format("{} pictures were decoded", num_decoded));
    }
    if (store_->disk()) add_cache_notes(*store_->disk(), notes);
    return notes;
  }

  // Reading is the limit while the network waits for it, and the other way round.
  std::string work_note() const {
    const double wall = std::max(1e-9, work_seconds_.load());
    const std::string decoding = opened_.decode
                                     ? fmt::format("decoding on the device {:.0f} %, ",
                                                   100 * stages_.decoding.busy_seconds() / wall)
                                     : "";
    return fmt::format(
        "planning took {:.2f} s, inference {:.2f} s ({:.0f} images/s): reading kept {} threads "
        "{:.0f} % busy, {}the network ran {:.0f} % of the time",
        plan_seconds_,
        wall,
        static_cast<double>(std::min(done_in_all().distinct_visuals, visuals_done_.load())) / wall,
        num_threads_,
        100 * stages_.reading.thread_seconds() / wall / num_threads_,
        decoding,
        100 * stages_.network.busy_seconds() / wall);
  }

  // Says which pictures are needed again: by other models, or here as another crop or corruption.
  void announce_pictures() {
    std::vector<std::filesystem::path> files;
    for (uint32_t id = 0; id < table_->num_visuals(); ++id) {
      const Result<media::VisualPlace>& place = table_->place(id);
      if (place && !place->clip && is_decoded_here(*place)) files.push_back(place->path);
    }
    if (own_client_) {
      own_client_->expect(repeated(std::move(files)));
      return;
    }
    parts_.pictures->expect(files);
    parts_.pictures->wait_for_others();
  }

  bool is_decoded_here(const media::VisualPlace& place) const {
    if (!opened_.worker) return true;
    return !media::shows_no_picture(place) &&
           (opened_.worker->traits().takes_pictures_as_they_are ||
            !media::change_key(place).empty());
  }

  // Those that are named more than once, as often as they are.
  static std::vector<std::filesystem::path> repeated(std::vector<std::filesystem::path> files) {
    std::sort(files.begin(), files.end());
    std::vector<std::filesystem::path> found;
    for (size_t i = 0; i < files.size(); ++i) {
      const bool is_like_last = i > 0 && files[i] == files[i - 1];
      const bool is_like_next = i + 1 < files.size() && files[i] == files[i + 1];
      if (is_like_last || is_like_next) found.push_back(files[i]);
    }
    return found;
  }

  // Its own crops and corruptions share what is decoded.
  void share_with_itself() {
    if (own_client_) num_decoded_before_ += own_client_->num_decoded();
    own_client_.reset();
    const bool alpha_on_white =
        opened_.worker ? opened_.worker->traits().alpha_on_white : parts_.rules.alpha_on_white;
    own_pictures_ = std::make_unique<SharedPictures>(
        /*num_models=*/1, kPictureBytes, SharedPictures::decoder(alpha_on_white));
    own_client_ = std::make_unique<PictureClient>(*own_pictures_);
    parts_.pictures = own_client_.get();
  }

  // Everything but the content that decides a row.
  store::RowCacheOptions scope_of(const CacheOptions& options) const {
    std::string facts =
        fmt::format("compat {}\nmasks_clips {}\n", parts_.is_compat, parts_.masks_clips);
    for (const Identity& one : identity()) facts += fmt::format("{} {}\n", one.name, one.value);
    if (parts_.gpu_batch != stamped_batch_) facts += fmt::format("fits {}\n", parts_.gpu_batch);
    facts += options.machine;
    return {.folder = options.folder,
            .max_bytes = options.max_bytes,
            .scope = content_key(facts),
            .about = options.about + "\n" + facts};
  }

  static void add_cache_notes(store::RowCache& cache, std::vector<std::string>& notes) {
    // Now, while there is somebody to be told that there is no room.
    cache.flush();
    store::RowCache::Counts counts = cache.counts();
    notes.push_back(
        fmt::format("{} rows came from the cache, {} were added", counts.found, counts.added));
    if (counts.damaged > 0)
      notes.push_back(
          fmt::format("{} rows of the cache were damaged and computed again", counts.damaged));
    for (const std::string& warning : cache.warnings()) notes.push_back(warning);
  }

  // What came of all asks so far, each distinct thing once.
  struct Done {
    uint64_t asks = 0;
    uint64_t scores = 0;
    uint64_t distinct_visuals = 0;
    uint64_t distinct_texts = 0;
    WorkCounts counts = {};
  };
  Done done_in_all() const {
    Done done = earlier_;
    done.asks += table_->num_asks();
    done.scores += table_->num_scores();
    const WorkCounts counts = plan_->counts();
    done.distinct_visuals += table_->num_visuals() - counts.known_visuals;
    done.distinct_texts += table_->num_texts() - counts.known_texts;
    done.counts += counts;
    return done;
  }

  // The asks before were all answered: what was kept for them goes.
  void end_part() {
    worker_ = {};
    earlier_ = done_in_all();
    plan_.reset();  // before what it takes pictures from
    // Models that share pictures go through them together once; a later part is this one's alone.
    share_with_itself();
    frontier_.reset();
  }

  // How much of which count a job is: pairs where the network looks at both together.
  WorkPace::Amount amount_of(const Job& job) const {
    if (job.kind == Job::Kind::kTexts) return {WorkPace::kTexts, job.end - job.begin};
    if (!backend_->traits().table.has_pairs) return {WorkPace::kImages, job.end - job.begin};
    uint64_t num_pairs = 0;
    for (uint32_t unit = job.begin; unit < job.end; ++unit)
      num_pairs += table_->texts_of(unit).size();
    return {WorkPace::kPairs, num_pairs};
  }

  void begin_ahead(const std::vector<Job>& jobs) {
    if (backend_->traits().table.has_questions) pace_.name(WorkPace::kImages, "questions");
    for (const Job& job : jobs) pace_.expect(amount_of(job), now());
  }

  JobResult work_timed(const Job& job) {
    const uint64_t timed = pace_.begin(amount_of(job), now());
    JobResult done = plan_->work(job);
    pace_.end(timed, now());
    return done;
  }

  void work_ahead(const std::function<bool()>& is_stopped) {
    const Clock::time_point begin = Clock::now();
    const double before = work_seconds_;
    try {
      const std::vector<Job> jobs =
          table_->jobs(backend_->traits().visuals_per_job, backend_->traits().texts_per_job);
      begin_ahead(jobs);
      ordered_pipeline<JobResult>(
          jobs.size(),
          num_workers_,
          [&](uint64_t index) { return work_timed(jobs[index]); },
          [&](JobResult&& done) {
            Job job = done.job;
            plan_->keep(std::move(done));
            if (job.kind == Job::Kind::kVisuals) visuals_done_ += job.end - job.begin;
            // Before the last item can be answered and somebody asks.
            work_seconds_ = before + seconds_since(begin);
            frontier_.advance(job);
          },
          [&] { return is_given_up_ || (is_stopped && is_stopped()); });
      frontier_.close(nullptr);
    } catch (...) {
      frontier_.close(std::current_exception());
    }
  }

  OpenedNetwork opened_;
  NetworkParts parts_;
  unsigned num_threads_;
  unsigned num_workers_;
  uint32_t stamped_batch_ = 0;  // pictures per forward that the run began with, on a GPU
  Stages stages_;
  std::optional<NetworkThreads> forwards_;  // on a GPU
  SpillStore pixels_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<RowStore> store_;
  std::unique_ptr<SharedPictures> own_pictures_;
  std::unique_ptr<PictureClient> own_client_;
  uint64_t num_decoded_before_ = 0;  // in parts that are over
  std::unique_ptr<Table> table_;
  std::unique_ptr<PlanWork> plan_;
  Clock::time_point plan_begin_;
  double plan_seconds_ = 0;
  std::atomic<double> work_seconds_ = 0;
  std::atomic<uint64_t> visuals_done_ = 0;  // fewer than were planned where a run was stopped
  Done earlier_;
  WorkPace pace_;
  Frontier frontier_;
  std::atomic<bool> is_given_up_ = false;
  std::jthread worker_;  // last: joined before the rest goes
};

}  // namespace

std::unique_ptr<models::Model> make_driver(OpenedNetwork opened, const DriverOptions& options) {
  return std::make_unique<Driver>(std::move(opened), options);
}

}  // namespace snellen::inference
