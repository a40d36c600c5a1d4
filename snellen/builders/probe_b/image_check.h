// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/probe/probe_files.h"
#include "snellen/builders/probe_b/scenes.h"
#include "snellen/builders/probe_b/truth.h"
#include "snellen/builders/violations.h"
#include "snellen/media/masks/patch.h"

namespace snellen::builders::probe_b {

// Checks the groups of one image against the truth; what it finds goes to the report. One thread at
// a time.
class ImageCheck {
 public:
  ImageCheck(const Truth& truth,
             const Rules& rules,
             const std::filesystem::path& folder,
             builders::CheckReport& report)
      : truth_(truth), rules_(rules), folder_(folder), report_(report) {}

  void check_background(const annotations::BackgroundGroup& group, std::string_view json);

  void check_patch(const std::vector<int64_t>& xywh);

  void check_alone(const annotations::CooccurrenceGroup& group);

  // The picture files of each filler; with a source picture also their pixels.
  void check_pictures(const media::Image* source, Scenes* scenes);

 private:
  void add(std::string rule, std::string what);

  void check_annotations(std::string_view json);

  void check_boxes(const std::string& object);

  // Value by value from the stream, not with the quick normals of the builder.
  media::Image canvas_for(media::Filler filler, Scenes* scenes) const;

  media::Mask outside_patch() const;

  void check_picture(const std::filesystem::path& relative,
                     const media::Image* source,
                     const media::Mask& mask,
                     const std::optional<media::Image>& canvas);

  const Truth& truth_;
  const Rules& rules_;
  const std::filesystem::path& folder_;
  builders::CheckReport& report_;
  std::string where_;
  std::optional<media::PatchPlace> place_;
  std::vector<std::string> alone_;
};

}  // namespace snellen::builders::probe_b
