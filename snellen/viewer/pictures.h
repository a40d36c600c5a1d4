// SPDX-License-Identifier: Apache-2.0
// Pictures of items: the file as it is, small, or as the model was shown it. A file that a run
// names is never handed out as it is unless it is a video: pictures are decoded and written anew.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/http/server.h"
#include "snellen/store/samples/sample.h"
#include "snellen/viewer/viewed_run.h"

namespace snellen::viewer {

enum class PictureKind { kSmall, kOriginal, kSeen };
std::optional<PictureKind> picture_kind_of(std::string_view name);

// JPEG, or PNG for what the model saw. An Error says why there is none: the file is gone, the
// model's folder is gone, the change is not known.
Result<http::Response> picture_of(const ViewedRun& run,
                                  const store::ShownVisual& visual,
                                  PictureKind kind);

// Whether the run is the rung of a control that shows no picture.
bool shows_no_picture(const ViewedRun& run);

// The times of the frames of a clip that the model was shown; empty where the run kept none.
std::vector<double> frame_seconds_of(const ViewedRun& run, const store::ShownVisual& visual);

// The bytes of a video that can be opened as one.
Result<http::Response> clip_of(const ViewedRun& run, const store::ShownVisual& visual);

// Where a file that a run names by a relative path lies now: as named, or below a folder that
// holds the run. Nothing when it is gone.
std::optional<std::filesystem::path> place_of(const ViewedRun& run, const std::string& path);

}  // namespace snellen::viewer
