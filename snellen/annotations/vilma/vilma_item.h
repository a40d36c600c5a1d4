// SPDX-License-Identifier: Apache-2.0
// One item of ViLMA: a clip, its true caption, the foils, and an easier proficiency pair
// (docs/spec/vilma.md 2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::annotations {

// Texts that one score each is asked for, the true one apart.
struct VilmaTexts {
  std::string caption;
  std::vector<std::string> foils;
};

enum class VilmaTimeUnit {
  kSeconds,
  kFrames,  // "pts": the frame index of the 30-fps normalised video, end exclusive
};

struct VilmaItem {
  std::string id;
  std::string dataset;               // as spelled in the file: "QUVA", "VidSitu", "coin", ...
  std::string phenomenon;            // linguistic_phenomena; empty in counting
  std::string dataset_idx;           // a text or a whole number in the files, a text here
  std::string youtube_id;            // empty for null; VidSitu's carries a one or two digit suffix
  std::string video_file;            // empty for null
  std::optional<double> start_time;  // nothing: from the start
  std::optional<double> end_time;    // nothing (or -1 in the file): to the end
  VilmaTimeUnit time_unit = VilmaTimeUnit::kSeconds;
  bool is_normalized = false;  // QUVA: times refer to the 30-fps video
  VilmaTexts main;
  std::optional<VilmaTexts> proficiency;
  std::optional<double> main_votes;  // mturk.caption, of three
  std::optional<double> prof_votes;  // proficiency.human.caption, of one

  // "dataset/video": the same for every item that shows some stretch of the same video.
  std::string video() const;
};

// Reads one element of an annotation file. Unknown keys are ignored, missing descriptive keys are
// empty; only a caption with its foils is needed. Safe from many threads.
Result<VilmaItem> parse_vilma_item(std::string_view id,
                                   std::string_view json,
                                   std::string_view where);

// Which human validations an item must have passed to be evaluated.
enum class VilmaFilter { kBoth, kMain, kProf, kNone };

// main: at least two of three votes for the caption; prof: the one vote. An error when votes that
// the filter needs are missing.
Result<bool> is_evaluated(const VilmaItem& item, VilmaFilter filter);

enum class VilmaDefect {
  kNone,
  kCaptionIsFoil,   // cannot be solved when a tie is wrong
  kDuplicateFoils,  // one choice fewer than it seems
};
// Of the main texts and of the proficiency texts, the graver one.
VilmaDefect defect_of(const VilmaItem& item);

}  // namespace snellen::annotations
