// SPDX-License-Identifier: Apache-2.0
// The pictures of Probe-B's groups: background removed, patched, and one class alone.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "snellen/builders/probe_b/plan.h"
#include "snellen/builders/probe_b/scenes.h"
#include "snellen/media/image.h"
#include "snellen/media/masks/fillers.h"

namespace snellen::builders::probe_b {

enum class PictureFormat { kJpeg, kPng };

// Folders below the one that is built into (docs/spec/probe.md 2.4, 2.5).
inline constexpr const char* kRemovedFolder = "val2014_background_removed_dataset";
inline constexpr const char* kPatchedFolder = "val2014_random_patch_dataset";
inline constexpr const char* kAloneFolder = "val2014_background_removed_and_cooccurrence_dataset";

std::filesystem::path removed_folder(media::Filler filler);
std::filesystem::path patched_folder(media::Filler filler);
std::filesystem::path alone_folder(media::Filler filler);

struct PictureOptions {
  uint64_t seed = 0;
  std::vector<media::Filler> fillers;
  PictureFormat format = PictureFormat::kJpeg;
};

// What the filler puts in the place of removed pixels; the same for all pictures of an image.
media::Image canvas_of(media::Filler filler,
                       const annotations::CocoImage& image,
                       uint64_t seed,
                       Scenes* scenes);

// The file whole and of the right size: it begins with a header of this format and size and ends as
// the format ends. Files appear by renaming, so only a loss of power can leave less.
bool is_whole_picture(const std::filesystem::path& path,
                      const annotations::CocoImage& image,
                      PictureFormat format);

// Removes every picture that builds into the folder can have made, and the folders that this
// empties; files of other names stay.
void remove_pictures(const std::filesystem::path& out);

// Writes pictures that are not there yet. Safe from many threads.
class PictureWriter {
 public:
  // Removes what a killed build left half written. `scenes` may be null without the scene filler.
  PictureWriter(std::filesystem::path out, PictureOptions options, Scenes* scenes);

  // Makes the pictures of one image that are not whole; says how many it wrote. An Error when the
  // source picture is missing, damaged or of another size than the annotations say.
  Result<size_t> write(const ImagePlan& plan, const std::filesystem::path& images) const;

 private:
  struct Target;
  std::vector<Target> missing(const ImagePlan& plan, media::Filler filler) const;
  void save(const std::filesystem::path& path, const media::Image& picture) const;

  std::filesystem::path out_;
  PictureOptions options_;
  Scenes* scenes_;
  std::unordered_set<std::string> present_;  // relative paths, when the writer was made
};

}  // namespace snellen::builders::probe_b
