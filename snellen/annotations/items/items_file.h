// SPDX-License-Identifier: Apache-2.0
// A user's own task as JSON lines, one item each (docs/your-own-task.md). The file is mapped and
// split into lines; an item is parsed when it is asked for. A bad line is an Error that names file
// and line. Const methods are safe from many threads.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::annotations {

// A picture, or a clip; shown as it is, or corrupted.
struct ItemVisual {
  std::string path;  // stays below its root
  bool is_clip = false;
  std::optional<double> start = std::nullopt;  // of a clip, in its unit
  std::optional<double> end = std::nullopt;
  bool counts_frames = false;  // the unit: seconds, or frame numbers
  // Of a picture or every frame: left, top, width and height of the box that is shown.
  std::optional<std::array<int32_t, 4>> crop = std::nullopt;
  std::string corruption = {};
  uint64_t replicate = 0;
};

// A (visual, text) pair by number.
struct ItemCell {
  uint32_t visual = 0;
  uint32_t text = 0;
  auto operator<=>(const ItemCell&) const = default;
};

struct ItemLine {
  std::string id;
  std::string part;      // of the file; the items of a part stand together
  std::string group;     // what it shares with other items; empty: nothing
  std::string group_2;   // the same of a second picture; empty: none
  std::string category;  // empty: none
  std::vector<std::string> tags;
  std::string metric;               // empty: the header's
  std::vector<ItemVisual> visuals;  // none for texts alone
  std::vector<std::string> texts;
  std::vector<ItemCell> cells;  // the scores that are asked for, each once
  std::vector<ItemCell> right;  // those of them that are right, ascending
};

// The first line, where it is no item.
struct ItemsHeader {
  std::string name;  // empty: the file's name without its ending, made plain
  std::string paper;
  std::string metric;
};

// Largest of what one line may hold.
struct ItemLimits {
  static constexpr size_t kLineBytes = size_t{16} << 20;
  static constexpr size_t kVisuals = 4096;
  static constexpr size_t kTexts = 65536;
  static constexpr size_t kTextBytes = size_t{1} << 20;
  static constexpr size_t kCells = size_t{1} << 20;
  static constexpr size_t kTags = 64;
  static constexpr size_t kNameBytes = 512;  // ids, groups, categories, tags
  static constexpr size_t kPathBytes = 4096;
  static constexpr int64_t kSide = 65535;  // of a crop, in pixels
  static constexpr int64_t kPixels = int64_t{1} << 26;
};

class ItemsFile {
 public:
  // Throws kNotFound, or kInvalidInput for a header that cannot be used or a file without a line.
  explicit ItemsFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return file_.path(); }
  const ItemsHeader& header() const { return header_; }
  size_t size() const { return begins_.size(); }
  Result<ItemLine> item(size_t index) const;
  // "file:line"
  std::string where(size_t index) const;

 private:
  std::string_view line_at(uint64_t begin) const;
  uint64_t line_number(size_t index) const;  // from 1

  MappedFile file_;
  ItemsHeader header_;
  std::vector<uint64_t> begins_;  // of each item's line: 8 bytes per item
  // Lines that are no items, run by run: how many items and how many such lines there are up to
  // the end of the run.
  struct Skipped {
    size_t num_items;
    uint64_t num_lines;
  };
  std::vector<Skipped> skipped_;
};

// One line; `line_number` (from 1) is its id where it gives none.
Result<ItemLine> parse_item_line(std::string_view line,
                                 const std::string& where,
                                 uint64_t line_number);

// One line of a score file: {"id": .., "scores": [..]}, flat in the order of the cells or row by
// row. An Error when not even the id can be known.
struct ItemScores {
  std::string id;
  Result<std::vector<double>> scores;
  bool are_log_likelihoods = false;  // under that key: higher is better whatever the metric
};
Result<ItemScores> parse_item_scores(std::string_view line);

}  // namespace snellen::annotations
