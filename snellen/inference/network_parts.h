// SPDX-License-Identifier: Apache-2.0
// An opened checkpoint folder or a worker, and how it is asked.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "snellen/inference/asking_rules.h"
#include "snellen/inference/network_threads.h"
#include "snellen/inference/rows/spill_store.h"
#include "snellen/inference/stage_clock.h"
#include "snellen/inference/visuals/shared_pictures.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/models/model.h"
#include "snellen/models/network_module.h"
#include "snellen/models/worker.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::inference {

struct OpenedNetwork {
  std::unique_ptr<const models::Network> network;
  std::unique_ptr<const text::Tokenizer> tokenizer;
  std::unique_ptr<const media::ImageProcessor> processor;  // null for models of text alone
  std::unique_ptr<const models::Worker> worker;            // in the place of the three above
  std::vector<models::Model::Identity> identity;           // hashes of every file that was opened
  // Copies pixels to the GPU ahead of the forward; not set on the CPU.
  std::function<std::unique_ptr<models::StagedPixels>(const models::BytePixels&)> stage = {};
  // Whether what a network threw means that less at a time may do.
  std::function<bool(const std::exception&)> is_out_of_memory = {};
  // Decodes pictures where the network computes; null where the CPU decodes them.
  models::DecodeThere decode = {};
};

struct NetworkParts {
  const OpenedNetwork* opened = nullptr;
  std::string head;  // one of the network's heads
  AskingRules rules = {};
  bool is_compat = false;
  bool masks_clips = false;              // clips are shown as zeros
  bool is_asked_in_parts = false;        // prepare() is called more than once
  std::filesystem::path working_folder;  // embeddings and scores lie here while the run lasts
  uint32_t gpu_batch = 0;                // pictures per forward on a GPU; 0 on the CPU
  Stages* stages = nullptr;
  PictureClient* pictures = nullptr;      // gives those that are needed again
  SpillStore* pixels = nullptr;           // prepared pictures that may be needed again
  NetworkThreads* threads = nullptr;      // that do the forwards; null: the caller's
  std::function<bool()> is_stopped = {};  // for workers, which are waited for

  const models::Network& network() const { return *opened->network; }
  bool is_row_exact() const { return opened->worker || network().facts().is_row_exact; }

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

  bool has_run_out(const std::exception& thrown) const {
    return opened->is_out_of_memory && opened->is_out_of_memory(thrown);
  }
  // Does work(begin, end) at once or, where the device has no memory for so many, in halves;
  // give_up(i) is told of one that does not fit alone.
  template <typename Work, typename GiveUp>
  void in_halves(size_t begin,
                 size_t end,
                 std::atomic<uint64_t>& num_splits,
                 const Work& work,
                 const GiveUp& give_up) const {
    try {
      work(begin, end);
      return;
    } catch (const std::exception& thrown) {
      if (!has_run_out(thrown)) throw;
    }
    if (end - begin == 1) return give_up(begin);
    ++num_splits;
    const size_t middle = begin + (end - begin) / 2;
    in_halves(begin, middle, num_splits, work, give_up);
    in_halves(middle, end, num_splits, work, give_up);
  }
  // Calls work(begin, end) for all, or for one after the other where the bits of a row depend on
  // what shares its batch.
  template <typename Work>
  void in_exact_batches(size_t count, const Work& work) const {
    const size_t step = is_row_exact() ? count : 1;
    for (size_t begin = 0; begin < count; begin += step) work(begin, begin + step);
  }
};

// The failure of a visual or text that does not fit alone.
Error too_large(const NetworkParts& parts);

}  // namespace snellen::inference
