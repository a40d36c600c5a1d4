// SPDX-License-Identifier: Apache-2.0
// ViLMA results files: item id -> {"scores": [caption, foils...]} (docs/spec/vilma.md 3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/formats/python_json_parser.h"

namespace snellen::annotations {

// One entry's scores; NaN and infinities as Python writes them are numbers here. Other keys are
// ignored. Appends to `scores` and says how many; an error leaves `scores` as it was.
Result<size_t> parse_vilma_scores(formats::PythonJsonParser& parser,
                                  std::string_view json,
                                  std::string_view where,
                                  std::vector<double>& scores);

// What to do with an id that occurs twice in one file. Python keeps the last.
enum class OnDuplicate { kError, kLast };

// All scores of one file, in memory. Const methods are safe from many threads.
class VilmaResults {
 public:
  // Throws kNotFound, or kInvalidInput for a file that is not an object and for an entry without a
  // list of numbers "scores".
  explicit VilmaResults(const std::filesystem::path& path,
                        OnDuplicate on_duplicate = OnDuplicate::kError);

  // In lexicographic (byte) order of ids.
  size_t size() const { return entries_.size(); }
  std::string_view id(size_t index) const { return entries_.at(index).id; }
  std::span<const double> scores(size_t index) const;
  // The scores of an id; nothing when the file lacks it.
  std::optional<std::span<const double>> find(std::string_view id) const;

  // The most scores of any entry: what the reference pads to.
  size_t longest_entry() const { return longest_entry_; }
  // Entries that hold NaN or an infinity.
  size_t num_non_finite() const { return num_non_finite_; }

 private:
  struct Entry {
    std::string id;
    size_t begin;
    size_t count;
  };
  std::vector<Entry> entries_;
  std::vector<double> scores_;
  size_t longest_entry_ = 0;
  size_t num_non_finite_ = 0;
};

}  // namespace snellen::annotations
