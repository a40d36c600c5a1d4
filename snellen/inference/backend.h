// SPDX-License-Identifier: Apache-2.0
// One kind of network at work: what it makes of a stretch of visuals or texts, what it keeps, and
// how an ask is answered from that.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "snellen/media/processor/image_processor.h"
#include "snellen/models/network_module.h"
#include "snellen/inference/table.h"
#include "snellen/inference/network_threads.h"
#include "snellen/inference/rows/spill_store.h"
#include "snellen/inference/visuals/shared_pictures.h"
#include "snellen/inference/stage_clock.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::inference {

// What of a folder was opened, and how it is asked.
struct NetworkParts {
  const models::Network* network = nullptr;
  const text::Tokenizer* tokenizer = nullptr;
  const media::ImageProcessor* processor = nullptr;  // null for models of text alone
  std::string head;                                  // one of the network's heads
  bool is_compat = false;
  bool masks_clips = false;              // clips are shown as zeros
  std::filesystem::path working_folder;  // embeddings and scores lie here while the run lasts
  uint32_t gpu_batch = 0;                // pictures a forward on a GPU; 0 on the CPU
  // Copies pixels to the GPU ahead of the forward; not set on the CPU.
  std::function<std::unique_ptr<models::StagedPixels>(const models::BytePixels&)> stage = {};
  // Decodes pictures where the network computes; null where the CPU decodes them.
  models::DecodeThere decode = {};
  // Whether what a network threw means that less at a time may do.
  std::function<bool(const std::exception&)> is_out_of_memory = {};
  uint32_t pretended_memory = 0;  // for tests: forwards of more pictures or texts run out of memory
  Stages* stages = nullptr;
  SharedPictures::Client* client = nullptr;  // pictures come from here when they are needed again
  // Prepared pictures, for models that may have to see one again; null: none are kept.
  SpillStore* pixels = nullptr;
  bool is_asked_in_parts = false;  // prepare() is called more than once

  NetworkThreads* threads = nullptr;  // that do the forwards; null: the caller's

  // A forward, in its stage.
  template <typename Work>
  auto in_network(const Work& work) const {
    StageClock::Inside inside(stages->network);
    return in_thread(work);
  }
  // Where forwards are done.
  template <typename Work>
  auto in_thread(const Work& work) const {
    if (!threads) return work();
    std::packaged_task<std::invoke_result_t<Work>()> task(work);
    threads->run([&] { task(); });
    return task.get_future().get();
  }
  void check_memory(size_t count) const;
  bool has_run_out(const std::exception& thrown) const;
};
// The failure of a visual or text that does not fit alone.
Error too_large(const NetworkParts& parts);

// Thrown where memory is only pretended to have run out.
class PretendedOutOfMemory : public std::exception {};

// What a job came to: rows of equal width, and why some have none.
struct JobDone {
  Job job = {};
  size_t width = 0;
  std::vector<float> values = {};
  std::map<uint32_t, Error> failures = {};  // by number of the visual or text
};

struct WorkCounts {
  uint64_t decoded = 0;        // pictures and clips
  uint64_t visuals = 0;        // seen by the network
  uint64_t texts = 0;          // read by the network
  uint64_t pairs = 0;          // both together
  uint64_t same_content = 0;   // visuals whose bytes another one had already
  uint64_t splits = 0;         // batches that were halved for want of memory
  uint64_t known_visuals = 0;  // met in an earlier part of the asks
  uint64_t known_texts = 0;
  std::vector<std::string> truncated = {};  // the first texts that were too long
  uint64_t num_truncated = 0;

  WorkCounts& operator+=(const WorkCounts& more);
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual TableOptions plan_options() const = 0;
  // How many visuals and texts make a job; 0 where it has none of a kind.
  virtual uint32_t visuals_per_job() const = 0;
  virtual uint32_t texts_per_job() const = 0;
  // Called once, before the rest.
  virtual void start(const Table& plan) = 0;
  // From many threads at once.
  virtual JobDone work(const Job& job) = 0;
  // In the order of the jobs, from one thread.
  virtual void keep(JobDone&& done) = 0;
  // The visual whose row answers for this one; known when the visual was kept.
  virtual uint32_t stands_for(uint32_t visual) const { return visual; }
  // From many threads, when everything the cells name was kept.
  virtual Result<std::vector<double>> score(const models::Ask& ask) const = 0;
  // Of an ask that was scored.
  virtual models::Shown shown(const models::Ask& ask) const = 0;
  virtual WorkCounts counts() const = 0;

  // For rows that are remembered between runs (remembering_scorer.h). How many parts, the frames of
  // a clip, a row of a visual has room for; which frames of a clip it holds, and to be told them
  // where the row was not made here; to be told of texts that were not read here, because they may
  // be too long. From the threads that work.
  virtual size_t parts_per_row() const { return 1; }
  virtual media::FrameIndices frames_seen(uint32_t visual) const {
    (void)visual;
    return {};
  }
  virtual void restore_frames(uint32_t visual, media::FrameIndices&& frames) {
    (void)visual;
    (void)frames;
  }
  virtual void note_texts(std::span<const uint32_t> texts) { (void)texts; }
};

// The scorer for parts.head; throws kUsage when the network has no such head.
std::unique_ptr<Backend> make_backend(const NetworkParts& parts);

}  // namespace snellen::inference
