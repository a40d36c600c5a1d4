// SPDX-License-Identifier: Apache-2.0
// The annotation files of a run over ViLMA, and where the clips of their items lie.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "snellen/annotations/vilma/clip_file.h"
#include "snellen/annotations/vilma/vilma_annotations.h"
#include "snellen/media/visual_place.h"
#include "snellen/tasks/vilma/evaluate.h"

namespace snellen::tasks::vilma {

// How clips are found and shown.
struct ShownClips {
  annotations::ClipFolders folders;
  media::FrameSampler sampler;
  uint32_t seed = 0;  // of the reference's window sampler
  bool is_compat = false;
};

// One annotation file: a part of the task. Const methods are safe from many threads.
class AskedFile {
 public:
  // Throws as VilmaAnnotations does; with `only_valid` items that fail the filter are left out.
  AskedFile(const std::filesystem::path& path, const Selection& selection, bool only_valid);

  const std::filesystem::path& path() const { return path_; }
  const annotations::VilmaPlace& place() const { return place_; }
  size_t size() const { return kept_.size(); }
  struct Kept {
    size_t index = 0;  // in the file
    bool is_evaluated = true;
    bool is_degenerate = false;
    size_t num_foils = 0;
    size_t num_prof_foils = 0;  // 0: it has no proficiency pair
  };
  const Kept& kept(size_t i) const { return kept_.at(i); }
  Result<annotations::VilmaItem> item(size_t i) const { return items_->item(kept_.at(i).index); }
  const std::vector<std::string>& degenerate() const { return degenerate_; }

  // Where the clip of item(i) lies and which of its frames are shown.
  Result<media::VisualPlace> locate(const annotations::VilmaItem& item,
                                    size_t i,
                                    const ShownClips& clips) const;

 private:
  Result<media::VisualPlace> place_of(const annotations::VilmaItem& item,
                                      const ShownClips& clips) const;
  void draw_windows(const ShownClips& clips) const;

  std::filesystem::path path_;
  std::unique_ptr<annotations::VilmaAnnotations> items_;
  annotations::VilmaPlace place_;
  std::vector<Kept> kept_;
  std::vector<std::string> degenerate_;
  // The reference draws windows from one stream in the order of ids: all are drawn with the first.
  mutable std::once_flag is_drawn_;
  mutable std::vector<media::FrameIndices> windows_;
};

// The published annotation files in a folder or its `vilma` folder, in the published table's order;
// of counting the seconds. `subtasks` narrows them; empty: all.
std::vector<std::filesystem::path> find_annotations(const std::filesystem::path& folder,
                                                    const std::vector<std::string>& subtasks);

}  // namespace snellen::tasks::vilma
