// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/transcode.h"

#include <algorithm>

#include "snellen/media/video/constant_rate.h"

namespace snellen::media {
namespace {

VideoWriteOptions write_options(const VideoInfo& info,
                                Rational rate,
                                const TranscodeOptions& options) {
  VideoWriteOptions out;
  out.rate = rate;
  out.crf = options.crf;
  out.preset = options.preset;
  out.rotation_degrees = info.rotation_degrees;
  return out;
}

// Where a rate is needed and the file does not say.
Rational rate_of(const VideoInfo& info) {
  const bool is_known = info.average_rate.num > 0 && info.average_rate.den > 0;
  return is_known ? info.average_rate : Rational{25, 1};
}

// The item error when the gap between two frames would be filled without end.
Result<bool> check_count(int64_t num_frames, const std::string& name, const VideoLimits& limits) {
  if (num_frames <= limits.max_frames) return true;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("would have more than {} frames", limits.max_frames),
               name,
               "its timestamps are far apart: re-encode it first"};
}

}  // namespace

Result<Transcoded> normalize_rate(const std::filesystem::path& input,
                                  const std::filesystem::path& output,
                                  Rational rate,
                                  const TranscodeOptions& options) {
  auto opened = VideoReader::open(input, options.limits);
  if (!opened) return opened.error();
  VideoReader reader = std::move(opened).value();
  ConstantRate ticks(reader.info().time_base, rate);
  VideoWriter writer(output, write_options(reader.info(), rate, options));
  Transcoded done;
  VideoFrame last;
  while (true) {
    auto next = reader.next();
    if (!next) return next.error();
    VideoFrame frame = std::move(next).value();
    if (frame.is_empty() && last.is_empty()) {
      return Error{ErrorCode::kInvalidInput, "has no frame", input.string(), "re-encode it"};
    }
    const bool is_end = frame.is_empty();
    const int64_t count =
        is_end ? ticks.finish(last.pts() + last.duration()) : ticks.next(frame.pts());
    auto fits = check_count(done.num_written + count, input.string(), options.limits);
    if (!fits) return fits.error();
    for (int64_t i = 0; i < count; ++i) writer.write(last, done.num_written++);
    if (is_end) break;
    ++done.num_read;
    last = std::move(frame);
  }
  // A single frame that lasts less than half a tick is still a video.
  if (done.num_written == 0) writer.write(last, done.num_written++);
  writer.finish();
  return done;
}

Result<Transcoded> cut_clip(const std::filesystem::path& input,
                            const std::filesystem::path& output,
                            const ClipWindow& window,
                            bool is_compat,
                            const TranscodeOptions& options) {
  auto opened = VideoReader::open(input, options.limits);
  if (!opened) return opened.error();
  VideoReader reader = std::move(opened).value();
  VideoWriteOptions out = write_options(reader.info(), rate_of(reader.info()), options);
  if (!is_compat) out.time_base = reader.info().time_base;
  VideoWriter writer(output, std::move(out));
  Transcoded done;
  int64_t first_pts = 0;
  int64_t last_pts = -1;
  auto given =
      for_each_frame(reader, window, {is_compat, options.limits}, [&](const VideoFrame& frame) {
        if (done.num_read++ == 0) first_pts = frame.pts();
        const int64_t pts = is_compat ? done.num_written : frame.pts() - first_pts;
        if (pts <= last_pts) return;  // two frames at one time: players show the first
        writer.write(frame, pts);
        last_pts = pts;
        ++done.num_written;
      });
  if (!given) return given.error();
  writer.finish();
  return done;
}

}  // namespace snellen::media
