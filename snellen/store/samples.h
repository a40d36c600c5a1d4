// SPDX-License-Identifier: Apache-2.0
// samples.db: every item with its scores, outcome or failure. It is also the journal a run resumes
// from: rows are committed batch by batch, so whatever moment a process dies, the rows there are
// whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/store/database.h"

namespace snellen::store {

enum class SampleStatus { kScored, kFailed, kSkipped };

struct Sample {
  uint32_t task = 0;
  uint64_t position = 0;
  uint32_t part = 0;
  std::string item;
  std::string cluster;
  std::string category;
  SampleStatus status = SampleStatus::kScored;
  std::vector<double> scores = {};  // NaN: not given
  std::vector<double> values = {};  // one per column; NaN: undefined
  uint64_t ties = 0;
  std::optional<bool> is_correct = std::nullopt;
  double margin = 0;
  std::string detail = {};
  std::optional<Error> error = std::nullopt;  // for failed and skipped
  uint64_t micros = 0;  // wall time; not part of what must be the same in every run
};

// A sample with the columns that take longest to make, so that many threads make them.
struct SampleRow {
  explicit SampleRow(Sample&& made);

  Sample sample;       // without scores and values
  std::string scores;  // JSON, as the two below
  std::string values;
  std::string error;
};

struct TaskRecord {
  std::string name;
  struct Part {
    std::string name;
    uint64_t num_items = 0;
  };
  std::vector<Part> parts;
  struct Column {
    std::string name;
    bool is_share = false;
    bool higher_is_better = true;
    std::optional<double> chance = std::nullopt;
    bool has_breakdown = false;
  };
  std::vector<Column> columns;
};

struct SampleCounts {
  uint64_t scored = 0;
  uint64_t failed = 0;
  uint64_t skipped = 0;
  uint64_t total() const { return scored + failed + skipped; }
  uint64_t& of(SampleStatus status);
};

// One thread at a time.
class Samples {
 public:
  // Makes the file or opens it to go on.
  static Samples open_to_write(const std::filesystem::path& path);
  // For a run that keeps nothing.
  static Samples open_in_memory();
  static Samples open_to_read(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return database_.path(); }

  // Remembers the tasks of a new run; a run that goes on must have the same.
  void set_tasks(const std::vector<TaskRecord>& tasks);
  std::vector<TaskRecord> tasks();

  // Whole or not at all.
  void add(std::span<const SampleRow> batch);
  void add(std::span<const Sample> batch);

  // Positions of a task that are already there.
  std::vector<bool> done(uint32_t task, uint64_t num_items);
  SampleCounts counts(uint32_t task);
  // Do several scored items of a part share a cluster?
  bool has_shared_clusters(uint32_t task, uint32_t part);

  // Reading whole tasks is shared out over this many threads, each with a connection of its own;
  // what is visited, and in which order, stays the same.
  void read_with(unsigned num_threads) { num_readers_ = num_threads; }

  // Scores are left empty where nobody asks for them: most of a row's time goes into its numbers.
  enum class Reading { kAll, kWithoutScores };
  // In order of position, on the calling thread. With `part` only that part's. A visitor may take
  // what it wants of a sample.
  void for_each(uint32_t task,
                std::optional<uint32_t> part,
                const std::function<void(Sample&)>& visit,
                Reading reading = Reading::kAll);
  // Those with positions begin .. end - 1, in order.
  void for_each_between(uint32_t task,
                        uint64_t begin,
                        uint64_t end,
                        const std::function<void(const Sample&)>& visit);
  // The first failed or skipped items, in order.
  std::vector<Sample> failures(uint32_t task, size_t at_most);

  // SHA-256 over all rows in order, without their times: equal for runs that came to the same.
  std::string digest();

 private:
  explicit Samples(Database database) : database_(std::move(database)) {}

  // The rows of a task in order, made of `T`s on the reading threads and taken on this one.
  template <typename T>
  void read_task(uint32_t task,
                 const std::function<T(const Statement&)>& make,
                 const std::function<void(T&&)>& take);

  Database database_;
  unsigned num_readers_ = 1;
  std::map<uint32_t, SampleCounts> counts_;  // those that were asked for
};

std::string_view name_of(SampleStatus status);

// Throws kInvalidInput for a scored sample with more or fewer values than its task has columns:
// another program changed the file. Whoever reads values by their place asks this first.
void check_values(const Sample& sample, size_t num_columns, const std::filesystem::path& where);

// "[1.5,null]": shortest digits; NaN is null, infinities are the texts "inf" and "-inf".
std::string numbers_to_json(std::span<const double> numbers);
std::vector<double> numbers_from_json(std::string_view json);

}  // namespace snellen::store
