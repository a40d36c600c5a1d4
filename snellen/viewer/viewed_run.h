// SPDX-License-Identifier: Apache-2.0
// One run folder that is looked at: its samples, and the index that finds items.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "snellen/report/stored_run.h"
#include "snellen/store/browse/item_index.h"
#include "snellen/store/browse/readable_samples.h"
#include "snellen/store/marks.h"
#include "snellen/store/samples.h"

namespace snellen::viewer {

// Safe from many threads.
class ViewedRun {
 public:
  // Throws kNotFound and kInvalidInput when there are no readable samples.
  ViewedRun(std::string id, std::filesystem::path folder, std::filesystem::path index_folder);
  ~ViewedRun();
  ViewedRun(const ViewedRun&) = delete;
  ViewedRun& operator=(const ViewedRun&) = delete;

  const std::string& id() const { return id_; }
  const std::filesystem::path& folder() const { return stored_.paths.folder; }
  const report::StoredRun& stored() const { return stored_; }
  const std::vector<store::TaskRecord>& tasks() const { return tasks_; }
  uint64_t num_items() const { return num_items_; }
  // Whether its files are as they were when it was opened. A run in progress stays so for a while
  // after it was indexed: what is committed meanwhile is counted, and indexed the next time.
  bool is_current();
  // What is missing of its samples, as far as is known; empty for a file that is whole.
  std::vector<std::string> problems();

  // The index; nothing while it is being built (then progress() tells), which a first call begins.
  // A run of few items is indexed at once; whoever asks meanwhile waits. Throws what building it
  // threw.
  std::shared_ptr<store::ItemIndex> index();
  const store::IndexProgress& progress() const { return progress_; }

  // With everything; nothing when there is no such item.
  std::optional<store::Sample> sample(uint32_t task, uint64_t position);
  std::optional<store::Sample> sample(int64_t id);
  // The first items in order, for a page that needs no index.
  std::vector<store::Sample> first_samples(uint32_t task, uint64_t offset, size_t count);
  std::vector<store::Sample> failures(uint32_t task, size_t at_most);
  store::SampleCounts counts(uint32_t task);

  store::Marks& marks() { return marks_; }

 private:
  using Clock = std::chrono::steady_clock;
  void build();

  std::string id_;
  report::StoredRun stored_;
  std::filesystem::path index_folder_;
  std::string version_, stamp_version_;
  store::ReadableSamples readable_;
  std::mutex samples_mutex_;  // guards the four below
  std::optional<store::Samples> samples_;
  std::map<uint32_t, store::SampleCounts> counts_;
  Clock::time_point counted_{};
  Clock::duration counting_{};
  std::vector<store::TaskRecord> tasks_;
  uint64_t num_items_ = 0;
  store::Marks marks_;

  std::mutex index_mutex_;  // guards the six below
  std::shared_ptr<store::ItemIndex> index_;
  std::optional<Error> problem_;
  bool is_building_ = false;
  Clock::time_point built_{};  // when building ended; how long it took
  Clock::duration building_{};
  std::condition_variable is_built_;
  std::jthread builder_;
  store::IndexProgress progress_;
};

// Size and time of the files of a run folder: another text after every change.
std::string version_of(const store::RunPaths& paths);

}  // namespace snellen::viewer
