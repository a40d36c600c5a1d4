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
#include "snellen/inference/frontier.h"
#include "snellen/inference/plan_work.h"

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

// On a GPU one batch is copied while another is computed, and a few wait, so that every core reads.
constexpr unsigned kForwardsOnGpu = 2;
constexpr unsigned kWaitingOnGpu = 8;

constexpr uint64_t kPictureBytes = uint64_t{256} << 20;  // decoded, needed for another variant
constexpr uint64_t kPixelBytes = uint64_t{1} << 30;      // prepared, on the disk

class Driver : public models::Model {
 public:
  Driver(OpenedNetwork opened, const DriverOptions& options)
      : opened_(std::move(opened)),
        num_threads_(options.num_threads),
        num_workers_(options.num_threads + (options.is_on_gpu ? kWaitingOnGpu : 0)),
        stages_(options.num_threads, options.is_on_gpu ? kForwardsOnGpu : num_workers_),
        shares_pictures_(options.pictures != nullptr),
        pixels_(options.working_folder, kPixelBytes) {
    parts_ = {.opened = &opened_,
              .head = options.head.empty() ? opened_.network->facts().heads.front() : options.head,
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
    }
    backend_ = make_backend(parts_);
    RowStore::Options kept{.folder = options.working_folder,
                           .keeps_process_rows = options.is_asked_in_parts};
    if (!options.cache.folder.empty()) kept.scope = scope_of(options.cache);
    store_ = std::make_unique<RowStore>(kept);
    if (!shares_pictures_) share_with_itself();
  }
  // Work that nobody waits for any more is given up.
  ~Driver() override { is_given_up_ = true; }

  bool looks() const override { return true; }
  std::vector<Identity> identity() const override {
    std::vector<Identity> all = opened_.identity;
    for (const models::NetworkFact& fact : parts_.network().facts().stamp)
      all.push_back({fact.name, fact.value});
    all.push_back({"score", parts_.head});
    if (parts_.gpu_batch > 0) all.push_back({"gpu_batch", std::to_string(parts_.gpu_batch)});
    return all;
  }

  void prepare(const models::AskSource& asks, const std::function<bool()>& is_stopped) override {
    if (table_) end_part();
    const Clock::time_point begin = Clock::now();
    table_ = std::make_unique<Table>(asks, backend_->traits().table);
    plan_seconds_ += seconds_since(begin);
    announce_pictures();
    plan_ = std::make_unique<PlanWork>(*table_, parts_, *backend_, *store_);
    worker_ = std::jthread([this, is_stopped] { work_ahead(is_stopped); });
  }

  Result<std::vector<double>> score(const models::Ask& ask) const override {
    const BackendTraits& traits = backend_->traits();
    Frontier::Needs needs;
    for (const models::Cell& cell : ask.cells) {
      if (traits.visuals_per_job > 0)
        needs.visuals = std::max(needs.visuals, table_->visual_id(ask, cell.visual) + 1);
      if (traits.texts_per_job > 0)
        needs.texts = std::max(needs.texts, table_->text_id(cell.text) + 1);
    }
    if (!frontier_.wait(needs)) throw models::Stopped();
    // A visual with the bytes of another is answered by that one, which may come a little later.
    for (const models::Cell& cell : ask.cells) {
      if (traits.visuals_per_job > 0)
        needs.visuals =
            std::max(needs.visuals, plan_->owner_of(table_->visual_id(ask, cell.visual)) + 1);
    }
    if (!frontier_.wait(needs)) throw models::Stopped();
    return plan_->score(ask);
  }

  models::Shown shown(const models::Ask& ask) const override { return plan_->shown(ask); }

  std::string limited_by() const override {
    const double reading = stages_.reading.thread_seconds();
    const double decoding = stages_.decoding.thread_seconds();
    const double network = stages_.network.thread_seconds();
    if (reading + decoding + network <= 0) return {};
    if (decoding > std::max(reading, network)) return "decoding";
    return reading > network ? "reading" : "network";
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = parts_.network().facts().warnings;
    if (!table_) return notes;
    const Done done = done_in_all();
    const WorkCounts& counts = done.counts;
    notes.insert(
        notes.end(),
        {fmt::format("{} items requested {} scores for {} distinct visuals and {} distinct texts",
                     done.asks,
                     done.cells,
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
    if (counts.splits > 0) {
      notes.push_back(
          fmt::format("{} batches did not fit into the device's memory and were done in halves",
                      counts.splits));
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
  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
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
      const Result<media::VisualPlace>& place = table_->visual(id);
      if (place && !place->clip) files.push_back(place->path);
    }
    if (own_client_) {
      own_client_->expect(repeated(std::move(files)));
      return;
    }
    parts_.pictures->expect(files);
    parts_.pictures->wait_for_others();
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
    own_client_.reset();
    own_pictures_ = std::make_unique<SharedPictures>(/*num_models=*/1, kPictureBytes);
    own_client_ = std::make_unique<SharedPictures::Client>(*own_pictures_);
    parts_.pictures = own_client_.get();
  }

  // Everything but the content that decides a row.
  store::RowCacheOptions scope_of(const CacheOptions& options) const {
    std::string facts =
        fmt::format("compat {}\nmasks_clips {}\n", parts_.is_compat, parts_.masks_clips);
    for (const Identity& one : identity()) facts += fmt::format("{} {}\n", one.name, one.value);
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
    uint64_t cells = 0;
    uint64_t distinct_visuals = 0;
    uint64_t distinct_texts = 0;
    WorkCounts counts = {};
  };
  Done done_in_all() const {
    Done done = earlier_;
    done.asks += table_->num_asks();
    done.cells += table_->num_cells();
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
    if (!shares_pictures_) share_with_itself();
    frontier_.reset();
  }

  void work_ahead(const std::function<bool()>& is_stopped) {
    const Clock::time_point begin = Clock::now();
    const double before = work_seconds_;
    std::vector<Job> jobs =
        table_->jobs(backend_->traits().visuals_per_job, backend_->traits().texts_per_job);
    try {
      ordered_pipeline<JobResult>(
          jobs.size(),
          num_workers_,
          [&](uint64_t index) { return plan_->work(jobs[index]); },
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
  Stages stages_;
  std::optional<NetworkThreads> forwards_;  // on a GPU
  const bool shares_pictures_;              // with other models
  SpillStore pixels_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<RowStore> store_;
  std::unique_ptr<SharedPictures> own_pictures_;
  std::unique_ptr<SharedPictures::Client> own_client_;
  std::unique_ptr<Table> table_;
  std::unique_ptr<PlanWork> plan_;
  double plan_seconds_ = 0;
  std::atomic<double> work_seconds_ = 0;
  std::atomic<uint64_t> visuals_done_ = 0;  // fewer than were planned where a run was stopped
  Done earlier_;
  Frontier frontier_;
  std::atomic<bool> is_given_up_ = false;
  std::jthread worker_;  // last: joined before the rest goes
};

}  // namespace

std::unique_ptr<models::Model> make_driver(OpenedNetwork opened, const DriverOptions& options) {
  return std::make_unique<Driver>(std::move(opened), options);
}

}  // namespace snellen::inference
