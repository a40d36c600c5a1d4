// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"

namespace snellen::annotations {

// Numbers are written as Python's json writes them in both layouts; NaN and infinities as its bare
// tokens.
enum class VilmaLayout {
  kLines,    // one item per line: ours
  kIndent4,  // json.dump(..., indent=4): the reference's
};

// Writes a results file item by item, in the order of add(); the file appears whole with commit()
// or not at all. One thread at a time. Throws kIo or kNotFound.
class VilmaResultsWriter {
 public:
  explicit VilmaResultsWriter(std::filesystem::path path, VilmaLayout layout = VilmaLayout::kLines);

  void add(std::string_view id, std::span<const double> scores);
  // An entry already written as JSON in this layout, for merging.
  void add_json(std::string_view id, std::string_view entry);
  void commit();

 private:
  AtomicFile file_;
  VilmaLayout layout_;
  bool is_empty_ = true;
};

enum class OnConflict { kLast, kError };

struct VilmaMerge {
  size_t num_items = 0;
  std::vector<std::string>
      replaced;  // ids that a later file gave again, in the order met: worth a warning
};

// Reads the inputs in the order given into one object and writes it: a later entry replaces an
// earlier one of the same id whole, at the earlier one's place, other keys than "scores" kept. With
// kError an id given twice throws kInvalidInput naming both files, and nothing is written. The
// output may be one of the inputs.
VilmaMerge merge_vilma_results(std::span<const std::filesystem::path> inputs,
                               const std::filesystem::path& output,
                               VilmaLayout layout,
                               OnConflict on_conflict);

}  // namespace snellen::annotations
