// SPDX-License-Identifier: Apache-2.0
// A small picture of each picture or video.
#include <set>

#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/codecs/sniff.h"
#include "snellen/media/thumbnail.h"
#include "snellen/media/video/clip.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct ThumbnailFlags {
  std::vector<std::string> files;
  std::string out;
  int size = 256;
  std::optional<double> seconds;
  unsigned num_threads = 0;
};

// The picture itself, or a video's frame.
Result<media::Image> shown(const std::string& path, std::optional<double> seconds) {
  try {
    if (media::begins_like_picture(path)) {
      const FileBytes file{fs::path(path)};
      if (media::image_info(file.bytes(), path)) return media::decode_image(file.bytes(), path);
    }
  } catch (const Error& error) {
    return error;
  }
  auto opened = media::VideoReader::open(path);
  if (!opened) return opened.error();
  media::VideoReader reader = std::move(opened).value();
  const double at = seconds.value_or(reader.info().seconds.value_or(0) / 2);
  auto clip = media::read_clip(reader, {at, at}, media::all_frames, {});
  if (!clip) return clip.error();
  return std::move(clip).value().frames.front();
}

Result<FileDone> make_thumbnail(const ThumbnailFlags& flags, size_t i) {
  const fs::path input = flags.files[i];
  const auto image = shown(flags.files[i], flags.seconds);
  if (!image) return image.error();
  const media::Image small = media::thumbnail(*image, flags.size);
  const fs::path output = fs::path(flags.out) / (input.filename().string() + ".png");
  write_text_file(output, media::encode_png(small));
  return FileDone{fmt::format("{}: {}x{}", output.string(), small.width, small.height),
                  {{"file", flags.files[i]},
                   {"thumbnail", output.string()},
                   {"width", small.width},
                   {"height", small.height}}};
}

void check_names(const std::vector<std::string>& files) {
  std::set<std::string> names;
  for (const std::string& file : files) {
    if (names.insert(fs::path(file).filename().string()).second) continue;
    throw Error{ErrorCode::kUsage,
                "two files of this name would have one thumbnail",
                file,
                "write them into two folders"};
  }
}

}  // namespace

std::function<int()> add_media_thumbnail(Command media, Context& context) {
  using config::option;
  using S = ThumbnailFlags;
  Command verb = media.add_subcommand("thumbnail", "a small PNG of each image or video");
  verb.footer(
      "Writes DIR/{file name}.png; of a video the frame in its middle, or at --at.\n"
      "Example:\n  snellen media thumbnail clip.mp4 photo.jpg --out thumbs");
  return verb_with(
      verb,
      S{},
      {option(&S::files, "files", "images and videos").whole_words().positional().many().required(),
       option(&S::out, "out", "folder for the thumbnails; it is made if missing")
           .alias("o")
           .value("DIR")
           .required(),
       option(&S::size, "size", "longest side in pixels").range(1, 16384),
       option(&S::seconds, "at", "seconds into a video (default: its middle)").range(0).value("S"),
       threads_option(&S::num_threads)},
      [&context](const S& flags) {
        check_names(flags.files);
        fs::create_directories(flags.out);
        return run_file_batch(context, flags.files.size(), flags.num_threads, [&](size_t i) {
          return make_thumbnail(flags, i);
        });
      });
}

}  // namespace snellen::cli
