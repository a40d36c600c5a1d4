// SPDX-License-Identifier: Apache-2.0
// What a picture or video file holds.
#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/sniff.h"
#include "snellen/media/video/video_reader.h"

namespace snellen::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoFlags {
  std::vector<std::string> files;
  bool counts_frames = false;
  unsigned num_threads = 0;
};

template <typename T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Result<int64_t> count_frames(media::VideoReader& reader) {
  for (int64_t count = 0;; ++count) {
    auto frame = reader.next();
    if (!frame) return frame.error();
    if (frame->is_empty()) return count;
  }
}

Result<FileDone> video_facts(const std::string& path, bool counts_frames) {
  auto opened = media::VideoReader::open(path);
  if (!opened) return opened.error();
  media::VideoReader reader = std::move(opened).value();
  const media::VideoInfo& info = reader.info();
  Json json = {{"file", path},
               {"kind", "video"},
               {"container", info.container},
               {"codec", info.codec},
               {"pixel_format", info.pixel_format},
               {"width", info.width},
               {"height", info.height},
               {"rotation", info.rotation_degrees},
               {"fps", info.average_rate.value()},
               {"time_base", fmt::format("{}/{}", info.time_base.num, info.time_base.den)},
               {"seconds", json_or_null(info.seconds)},
               {"frames_claimed", json_or_null(info.frames_claim)},
               {"audio", info.has_audio},
               {"bytes", info.num_bytes}};
  std::string line = fmt::format(
      "{}: {} {} {}x{}, {:.6g} fps, {}",
      path,
      info.codec,
      info.pixel_format,
      info.width,
      info.height,
      info.average_rate.value(),
      info.seconds ? fmt::format("{:.3f} s", *info.seconds) : std::string("unknown length"));
  if (info.rotation_degrees != 0)
    line += fmt::format(", rotated by {} degrees", info.rotation_degrees);
  if (info.has_audio) line += ", with sound";
  if (counts_frames) {
    auto count = count_frames(reader);
    if (!count) return count.error();
    json["frames"] = *count;
    line += fmt::format(", {} frames", *count);
  }
  return FileDone{std::move(line), std::move(json)};
}

Result<FileDone> facts(const std::string& path, bool counts_frames) {
  try {
    if (!media::begins_like_picture(path)) return video_facts(path, counts_frames);
    const FileBytes file{std::filesystem::path(path)};
    const auto picture = media::image_info(file.bytes(), path);
    if (!picture) return video_facts(path, counts_frames);
    const std::string format(media::name_of(picture->format));
    return FileDone{
        fmt::format("{}: {} picture {}x{}", path, format, picture->width, picture->height),
        {{"file", path},
         {"kind", "picture"},
         {"format", format},
         {"width", picture->width},
         {"height", picture->height},
         {"bytes", file.bytes().size()}}};
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

std::function<int()> add_media_info(Command media, Context& context) {
  using config::option;
  using S = InfoFlags;
  Command verb = media.add_subcommand("info", "size, rate, length and codec of images and videos");
  verb.footer("Example:\n  snellen media info --count clip.mp4 photo.jpg");
  return verb_with(
      verb,
      S{},
      {option(&S::files, "files", "images and videos").whole_words().positional().many().required(),
       option(&S::counts_frames, "count", "decode each video and count its frames"),
       threads_option(&S::num_threads)},
      [&context](const S& flags) {
        return run_file_batch(context, flags.files.size(), flags.num_threads, [&](size_t i) {
          return facts(flags.files[i], flags.counts_frames);
        });
      });
}

}  // namespace snellen::cli
