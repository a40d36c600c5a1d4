// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/base/error.h"
#include "snellen/store/samples/detail.h"

namespace snellen::store {

enum class SampleStatus { kScored, kFailed, kSkipped };

// A visual that an item shows.
struct ShownVisual {
  std::string name = {};  // tells it from the other visuals of its task
  std::string path = {};  // of its file; empty for one that has none
  // The model looks at the file: then its size and time are recorded with it.
  bool is_looked_at = false;
  struct Read {
    uint64_t size = 0;
    int64_t mtime_ns = 0;
    std::optional<ContentKey> key = std::nullopt;  // of its bytes, where they are known
    bool operator==(const Read&) const = default;
  };
  std::optional<Read> read = std::nullopt;
};

// Size and time of a file as they are now; none for one that is not there.
std::optional<ShownVisual::Read> stat_of(const std::filesystem::path& path);

// Whose score a score is: indices of the item's visuals and texts.
struct ScoredPair {
  uint32_t visual = 0;
  uint32_t text = 0;
  bool operator==(const ScoredPair&) const = default;
};

// One item with its scores, outcome or failure.
struct Sample {
  uint32_t task = 0;
  uint64_t position = 0;
  uint32_t part = 0;
  std::string item = {};
  std::vector<std::string> clusters = {};  // the pictures it shares with other items
  std::string category = {};
  SampleStatus status = SampleStatus::kScored;
  std::vector<double> scores = {};  // NaN: not given
  std::vector<double> values = {};  // one per column; NaN: undefined
  uint64_t ties = 0;
  std::optional<bool> is_correct = std::nullopt;
  double margin = std::numeric_limits<double>::quiet_NaN();
  Detail detail = {};
  std::optional<Error> error = std::nullopt;  // for failed and skipped
  uint64_t micros = 0;  // wall time; not part of what must be the same in every run

  // What was shown and asked; of the scored pairs one per score.
  std::vector<ShownVisual> visuals = {};
  std::vector<std::string> texts = {};
  std::vector<ScoredPair> pairs = {};
  std::vector<std::string> answers = {};  // of models that answer with text
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
  // How much most of its items show and ask, which decides how rows are laid out.
  struct Shape {
    size_t num_visuals = 0;
    size_t num_texts = 0;
    size_t num_scores = 0;
  };
  Shape shape = {};
};

struct SampleCounts {
  uint64_t scored = 0;
  uint64_t failed = 0;
  uint64_t skipped = 0;
  uint64_t total() const { return scored + failed + skipped; }
  uint64_t& of(SampleStatus status);
};

// 32 digits.
std::string hex_of(const ContentKey& key);

std::string_view name_of(SampleStatus status);
SampleStatus status_of(std::string_view name);

// Throws kInvalidInput for a scored sample with more or fewer values than its task has columns:
// another program changed the file. Whoever reads values by their place asks this first.
void check_values(const Sample& sample, size_t num_columns, const std::filesystem::path& where);

// "[1.5,null]": shortest digits; NaN is null, infinities are the texts "inf" and "-inf". The digest
// and the rows of schema 1 write numbers so.
void append_number_json(std::string& json, double number);
void append_numbers_json(std::string& json, std::span<const double> numbers);
std::vector<double> numbers_from_json(std::string_view json);

}  // namespace snellen::store
