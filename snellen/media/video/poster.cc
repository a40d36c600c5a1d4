// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/poster.h"

#include "snellen/media/video/clip.h"

namespace snellen::media {

Result<Image> poster_frame(const std::filesystem::path& path) {
  Result<VideoReader> opened = VideoReader::open(path);
  if (!opened) return opened.error();
  VideoReader reader = std::move(opened).value();
  const double at = reader.info().seconds.value_or(0) / 2;
  Result<Clip> clip = read_clip(reader, {at, at}, all_frames, {});
  if (!clip) return clip.error();
  return std::move(clip).value().frames.front();
}

}  // namespace snellen::media
