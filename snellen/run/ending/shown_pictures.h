// SPDX-License-Identifier: Apache-2.0
// Small pictures and model inputs beside the samples, so that a run can be looked at without its
// data set.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "snellen/models/observed.h"
#include "snellen/run/control/ladder.h"
#include "snellen/run/plan.h"
#include "snellen/store/run_folder.h"
#include "snellen/store/samples.h"

namespace snellen::run {

struct PictureRequest {
  const std::vector<OpenTask>& tasks;
  const Ladder& ladder;  // its rungs show the same visuals, changed
  const RunSettings& settings;
  const models::Model& model;
  const store::RunPaths& paths;
  double megabytes;
  std::function<bool()> is_stopped;
  std::function<void(uint64_t done, uint64_t total)> on_progress;
};

struct KeptPictures {
  uint64_t kept = 0;      // files that were shown, of which there is a picture
  uint64_t left_out = 0;  // those that did not fit, were too large to be hashed or cannot be read
  uint64_t bytes = 0;     // of all pictures, those that the model was shown too
  // What the model was shown under controls: one picture for each visual and rung.
  uint64_t rung_pictures = 0;
  uint64_t rung_pictures_left_out = 0;
};

nlohmann::ordered_json stamped_pictures(const KeptPictures& kept);

// Writes RUN/thumbs in the order of the items, until they fill `megabytes`: first what the run's
// own items show, then what controls made of it. Files are known by the content keys in `samples`,
// and not read for them again. Made once: where they are there for these rungs, what was counted is
// read. Same run, same bytes. Nothing when it was stopped.
std::optional<KeptPictures> keep_pictures(const PictureRequest& request, store::Samples& samples);

// The pictures of all shards of a run, as one process would have kept them where none was left out.
// Nothing where the shards have none.
std::optional<KeptPictures> join_pictures(std::span<const std::filesystem::path> shards,
                                          double megabytes,
                                          const store::RunPaths& paths,
                                          store::Samples& samples);

}  // namespace snellen::run
