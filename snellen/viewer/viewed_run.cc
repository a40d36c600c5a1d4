// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/viewed_run.h"

#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace snellen::viewer {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kIndexedAtOnce = 20'000;
// Of a run in progress: the index is made anew after these times as long as making it took, and
// not before so many seconds.
constexpr int kRestPerBuild = 5;
constexpr auto kLeastRest = std::chrono::seconds(2);
constexpr auto kCountsLast = std::chrono::seconds(1);
constexpr int kRestPerCount = 20;

report::StoredRun stored_run(const fs::path& folder) {
  try {
    return report::read_stored_run(folder);
  } catch (const Error&) {
    // The samples may be there all the same.
    return {.paths = store::RunPaths(folder),
            .stamp = nlohmann::ordered_json::object(),
            .verdict = "unknown"};
  }
}

std::string version_of(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return {};
  return fmt::format("{} {}.{} ", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

}  // namespace

std::string version_of(const store::RunPaths& paths) {
  std::string version;
  for (const fs::path& file : {paths.stamp(), paths.results(), paths.samples()})
    version += version_of(file);
  return version;
}

ViewedRun::ViewedRun(std::string id, fs::path folder, fs::path index_folder)
    : id_(std::move(id)),
      stored_(stored_run(folder)),
      index_folder_(std::move(index_folder)),
      version_(version_of(stored_.paths)),
      stamp_version_(version_of(stored_.paths.stamp())),
      readable_(stored_.paths.samples(), index_folder_),
      samples_(store::Samples::open_to_read(readable_.path())),
      tasks_(samples_->tasks()),
      marks_(store::marks_file(folder)) {
  // As planned: counting the rows of a large run takes half a second.
  for (const store::TaskRecord& task : tasks_)
    for (const store::TaskRecord::Part& part : task.parts) num_items_ += part.num_items;
}

ViewedRun::~ViewedRun() {
  progress_.stops = true;
}

bool ViewedRun::is_current() {
  if (version_ == version_of(stored_.paths)) return true;
  const bool is_live = stored_.verdict == "running" && num_items_ > 0 && readable_.note().empty();
  if (!is_live || stamp_version_ != version_of(stored_.paths.stamp())) return false;
  std::lock_guard lock(index_mutex_);
  if (is_building_ || built_ == Clock::time_point()) return true;
  return Clock::now() - built_ < std::max<Clock::duration>(kLeastRest, kRestPerBuild * building_);
}

std::vector<std::string> ViewedRun::problems() {
  std::vector<std::string> problems;
  if (!readable_.note().empty()) problems.push_back(readable_.note());
  std::lock_guard lock(index_mutex_);
  if (const uint64_t lost = index_ ? index_->columns().num_unreadable : 0; lost > 0)
    problems.push_back(
        fmt::format("samples.db is damaged: {} of {} items cannot be read", lost, num_items_));
  return problems;
}

void ViewedRun::build() {
  std::shared_ptr<store::ItemIndex> made;
  std::optional<Error> problem;
  const Clock::time_point begin = Clock::now();
  try {
    // A copy of a damaged file is another one every time.
    const bool is_kept = readable_.note().empty();
    made =
        store::ItemIndex::open(readable_.path(), is_kept ? index_folder_ : fs::path(), progress_);
  } catch (const Error& error) {
    problem = error;
  } catch (const std::exception& error) {
    problem = Error{ErrorCode::kInternal, error.what()};
  }
  // Building takes several times what the index holds; the program keeps freed memory otherwise.
  ::malloc_trim(0);
  std::lock_guard lock(index_mutex_);
  index_ = std::move(made);
  problem_ = std::move(problem);
  is_building_ = false;
  built_ = Clock::now();
  building_ = built_ - begin;
  is_built_.notify_all();
}

std::shared_ptr<store::ItemIndex> ViewedRun::index() {
  std::unique_lock lock(index_mutex_);
  // A page asks for items, margins and the run at the same time: all get the same index.
  if (num_items_ <= kIndexedAtOnce) is_built_.wait(lock, [this] { return !is_building_; });
  if (problem_) throw *problem_;
  if (index_ || is_building_) return index_;
  is_building_ = true;
  if (num_items_ > kIndexedAtOnce) {
    try {
      builder_ = std::jthread([this] { build(); });
      return nullptr;
    } catch (const std::system_error&) {
      // The system starts no thread: whoever asks waits for it.
    }
  }
  lock.unlock();
  build();
  lock.lock();
  if (problem_) throw *problem_;
  return index_;
}

std::optional<store::Sample> ViewedRun::sample(uint32_t task, uint64_t position) {
  std::optional<store::Sample> found;
  std::lock_guard lock(samples_mutex_);
  samples_->for_each_between(
      task, position, position + 1, [&](store::Sample& one) { found = std::move(one); });
  return found;
}

std::optional<store::Sample> ViewedRun::sample(int64_t id) {
  return sample(static_cast<uint32_t>(id / store::kTaskStride),
                static_cast<uint64_t>(id % store::kTaskStride));
}

std::vector<store::Sample> ViewedRun::first_samples(uint32_t task, uint64_t offset, size_t count) {
  std::vector<store::Sample> found;
  std::lock_guard lock(samples_mutex_);
  try {
    samples_->for_each_between(
        task, offset, offset + count, [&](store::Sample& one) { found.push_back(std::move(one)); });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidInput) throw;
    // Of a damaged file those before; the index finds the others.
  }
  return found;
}

std::vector<store::Sample> ViewedRun::failures(uint32_t task, size_t at_most) {
  // Counted anew, where the run goes on: samples remember that nothing had failed.
  if (const store::SampleCounts known = counts(task); known.scored == known.total()) return {};
  std::lock_guard lock(samples_mutex_);
  return samples_->failures(task, at_most);
}

store::SampleCounts ViewedRun::counts(uint32_t task) {
  std::lock_guard lock(samples_mutex_);
  if (stored_.verdict != "running") return samples_->counts(task);
  const Clock::time_point now = Clock::now();
  if (now - counted_ > std::max<Clock::duration>(kCountsLast, kRestPerCount * counting_)) {
    // The rows that are there now; samples remember what they counted.
    samples_.emplace(store::Samples::open_to_read(readable_.path()));
    counts_.clear();
  }
  if (const auto known = counts_.find(task); known != counts_.end()) return known->second;
  const store::SampleCounts counts = samples_->counts(task);
  counted_ = Clock::now();
  counting_ = counted_ - now;
  return counts_[task] = counts;
}

}  // namespace snellen::viewer
