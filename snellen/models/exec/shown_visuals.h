// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/models/exec/protocol.h"
#include "snellen/models/exec/temporary_folder.h"
#include "snellen/models/worker.h"

namespace snellen::models::exec {

// Makes visuals what the adapter wants them to be: paths, frames as PNG files, raw pixels. What is
// made lies in temporary folders while it is in use; the last few stay, since items that follow
// each other often share a visual. Safe from many threads.
class ShownVisuals {
 public:
  struct Options {
    Wants wants = Wants::kPath;
    int64_t frames = 0;  // clips are cut to so many PNG files; 0: only where the adapter wants it
    bool is_compat = false;
    std::filesystem::path working_folder = {};  // for PNG files
    std::filesystem::path shared_memory =
        {};  // for pixels; the working folder where it has no room
    // PNG files go here instead and stay, in folders 0, 1, ... in the order in which they are made.
    std::filesystem::path kept_folder = {};
  };
  explicit ShownVisuals(Options options) : options_(std::move(options)) {}

  // Its files stay while somebody holds it.
  class Shown;
  using Held = std::shared_ptr<const Shown>;
  // `picture` gives the file of the place; without it the file is read here.
  Result<Held> show(const media::VisualPlace& place, const SharedPicture& picture = {});

  class Shown {
   public:
    const ShownVisual& visual() const { return visual_; }
    // Those that were decoded of a clip, counted in it.
    const media::FrameIndices& frames() const { return frames_; }
    ~Shown();

   private:
    friend class ShownVisuals;
    std::once_flag once_;
    ShownVisual visual_;
    media::FrameIndices frames_;
    std::optional<Error> failure_;
    std::filesystem::path made_;  // removed with this, unless it is to stay
    bool stays_ = false;
  };

 private:
  bool decodes(const media::VisualPlace& place) const;
  std::shared_ptr<Shown> entry_of(const media::VisualPlace& place);
  void make(const media::VisualPlace& place, const SharedPicture& picture, Shown& shown);
  void make_frames(const std::vector<media::Image>& images, Shown& shown);
  void make_pixels(const std::vector<media::Image>& images,
                   const media::VisualPlace& place,
                   Shown& shown);
  // Decodes, and notes in `shown` what was chosen.
  std::vector<media::Image> images_of(const media::VisualPlace& place,
                                      const SharedPicture& picture,
                                      Shown& shown) const;
  const std::filesystem::path& folder();  // with the mutex held
  std::vector<std::filesystem::path> places_for_pixels();
  std::filesystem::path write_pixels(const std::vector<media::Image>& images);

  const Options options_;
  std::mutex mutex_;  // guards the following
  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<TemporaryFolder> memory_;
  uint64_t num_made_ = 0;
  std::map<std::string, std::weak_ptr<Shown>> by_place_;
  std::deque<std::shared_ptr<Shown>> recent_;
};

}  // namespace snellen::models::exec
