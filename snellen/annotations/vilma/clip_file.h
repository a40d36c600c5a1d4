// SPDX-License-Identifier: Apache-2.0
// Where the clip of an item lies and which stretch of it is shown (docs/spec/vilma.md 2.5).
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "snellen/annotations/vilma/vilma_item.h"
#include "snellen/base/error.h"

namespace snellen::annotations {

// Empty: not given.
struct ClipFolders {
  std::filesystem::path quva;                 // holds normalized_videos/
  std::filesystem::path something_something;  // {dataset_idx}.webm
  std::filesystem::path star;                 // {video_file}.mp4
  std::filesystem::path youtube;              // {youtube_id}.mp4
  std::filesystem::path cache;                // {item id}.mp4, already cut
};

// A folder as a user writes it: `~` is `home`, and the result is absolute.
std::filesystem::path clip_folder(std::string_view text, const std::filesystem::path& home);

struct ClipFile {
  std::filesystem::path path;
  bool is_cut = false;               // the file holds the clip alone: the stretch is everything
  std::optional<double> start = {};  // nothing: from the start
  std::optional<double> end = {};    // nothing: to the end
  VilmaTimeUnit unit = VilmaTimeUnit::kSeconds;
};

// The first file that is there. Default: the clip cache; then, for VidSitu, the id as written, its
// first 11 characters, and the already cut {video_file}; each as .mp4, .webm, .mkv or .avi, its own
// ending first. Compat: the cache, then the one name the reference looks for. An item whose file is
// missing is kNotFound with every name that was tried; names that leave their folder are
// kInvalidInput. In compat a data set the reference does not know, or a QUVA item that is not
// normalised, throws. Safe from many threads.
Result<ClipFile> find_clip(const VilmaItem& item, const ClipFolders& folders, bool is_compat);

}  // namespace snellen::annotations
