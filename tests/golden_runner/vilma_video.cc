// SPDX-License-Identifier: Apache-2.0
// unit.json: frame sampling and frame times.
#include <fmt/format.h>

#include "snellen/media/video/frame_sampling.h"
#include "snellen/media/video/frame_times.h"
#include "tests/golden_runner/vilma_checks.h"

namespace snellen::golden {

void check_frame_sampling_compat(const Json& value, Tally& tally) {
  media::WindowSampler sampler(value["seed"].get<uint32_t>());
  size_t number = 0;
  for (const Json& row : value["rows"]) {
    tally.start(fmt::format("frame_sampling_compat row {}", number++));
    const auto window = sampler.next(row["seg_len"].get<int64_t>(),
                                     value["clip_len"].get<int64_t>(),
                                     value["frame_sample_rate"].get<int64_t>());
    tally.same(window.end ? Json(*window.end) : Json(), row["end_idx"], 0, "end_idx");
    tally.same(window.indices, row["indices"], 0, "indices");
  }
}

void check_frame_sampling_default(const Json& value, Tally& tally) {
  for (const Json& row : value["rows"]) {
    const auto num_frames = row["T"].get<int64_t>();
    tally.start(fmt::format("frame_sampling_default T={}", num_frames));
    tally.same(media::uniform_frames(num_frames, value["clip_len"].get<int64_t>()),
               row["indices"],
               0,
               "indices");
  }
}

void check_violet_frames(const Json& value, Tally& tally) {
  for (const Json& row : value) {
    const auto num_frames = row["T"].get<int64_t>();
    tally.start(fmt::format("violet_frames_compat T={}", num_frames));
    tally.same(media::violet_frames(num_frames), row["indices"], 0, "indices");
  }
}

void check_video_summary_frames(const Json& value, Tally& tally) {
  for (const Json& row : value) {
    const auto num_frames = row["T"].get<int64_t>();
    const auto count = row["num_frames"].get<int64_t>();
    tally.start(fmt::format("video_summary_frames T={} num_frames={}", num_frames, count));
    tally.same(media::summary_frames_compat(num_frames, count), row["indices"], 0, "indices");
  }
}

void check_convert_to_seconds(const Json& value, Tally& tally) {
  for (const Json& row : value) {
    const auto frame = row["frame"].get<double>();
    tally.start(fmt::format("convert_to_seconds {}", frame));
    tally.near(
        media::seconds_of_frame(frame, row["fps"].get<double>()), row["seconds"], 0, "seconds");
  }
}

void check_normalise_frame_annotations(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("normalise_frame_annotations {}", i));
    Json got = Json::array();
    for (const Json& frame : value[i]["frames"]) {
      got.push_back(media::normalized_frame(frame.get<double>(),
                                            value[i]["fps"].get<double>(),
                                            value[i]["target_fps"].get<double>()));
    }
    tally.same(got, value[i]["normalised"], 0, "normalised");
  }
}

}  // namespace snellen::golden
