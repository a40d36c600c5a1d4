// SPDX-License-Identifier: Apache-2.0
// samples.db: every item with what it shows and asks, its scores, outcome or failure. It is also
// the journal a run resumes from: rows are committed batch by batch, so whatever moment a process
// dies, the rows there are whole. docs/design/samples.md tells its tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "snellen/store/database.h"
#include "snellen/store/samples/row_reader.h"
#include "snellen/store/samples/row_writer.h"
#include "snellen/store/samples/sample.h"

namespace snellen::store {

// What makes a run what it is, by name: ("settings.seed", "1").
using IdentityFacts = std::vector<std::pair<std::string, std::string>>;

// One thread at a time.
class Samples {
 public:
  using Reading = store::Reading;

  // Makes the file or opens it to go on; throws kUsage for one of an older schema.
  static Samples open_to_write(const std::filesystem::path& path);
  // For a run that keeps nothing.
  static Samples open_in_memory();
  // Any schema; the file stays as it is.
  static Samples open_to_read(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return database_->path(); }
  // Of the file.
  int schema() const { return layout_.version; }

  // Remembers the tasks of a new run; a run that goes on must have the same.
  void set_tasks(const std::vector<TaskRecord>& tasks);
  std::vector<TaskRecord> tasks();

  // Of the run whose items these are; sorted by name, empty when none was set.
  void set_identity(const IdentityFacts& facts);
  IdentityFacts identity();

  // Whole or not at all.
  void add(std::span<const Sample> batch);

  // Positions of a task that are already there.
  std::vector<bool> done(uint32_t task, uint64_t num_items);
  SampleCounts counts(uint32_t task);
  // Do several scored items of a part share a cluster?
  bool has_shared_clusters(uint32_t task, uint32_t part);

  // Reading whole tasks is shared out over this many threads, each with a connection of its own;
  // what is visited, and in which order, stays the same.
  void read_with(unsigned num_threads) { num_readers_ = num_threads; }

  // In order of position, on the calling thread. With `part` only that part's. A visitor may take
  // what it wants of a sample.
  void for_each(uint32_t task,
                std::optional<uint32_t> part,
                const std::function<void(Sample&)>& visit,
                Reading reading = Reading::kWithScores);
  // Those with positions begin .. end - 1, in order, with everything.
  void for_each_between(uint32_t task,
                        uint64_t begin,
                        uint64_t end,
                        const std::function<void(Sample&)>& visit);
  // The first failed or skipped items, in order.
  std::vector<Sample> failures(uint32_t task, size_t at_most);

  // SHA-256 over all rows in order, without their times and without what was shown: equal for runs
  // that came to the same, whatever their schema.
  std::string digest();

  // Visuals in the order they first came; one may come again after many others.
  struct StoredVisual {
    int64_t id = 0;
    uint32_t task = 0;
    ShownVisual visual;
  };
  void for_each_visual(const std::function<void(const StoredVisual&)>& visit);
  // What was read of visuals, by their ids.
  void set_read(std::span<const std::pair<int64_t, ShownVisual::Read>> read);
  // Number and SHA-256 of the distinct contents that were shown; independent of names and order.
  struct VisualDigest {
    uint64_t count = 0;
    std::string sha256;
  };
  VisualDigest visual_digest();

 private:
  explicit Samples(std::unique_ptr<Database> database);

  // The rows of a task in order, made of `T`s on the reading threads and taken on this one.
  template <typename T>
  void read_task(uint32_t task,
                 Reading reading,
                 const std::function<T(RowReader&, const Statement&)>& make,
                 const std::function<void(T&&)>& take);

  std::unique_ptr<Database> database_;
  RowLayout layout_;
  std::unique_ptr<RowWriter> writer_;  // since the first batch, until one failed
  unsigned num_readers_ = 1;
  std::map<uint32_t, SampleCounts> counts_;  // those that were asked for
};

}  // namespace snellen::store
