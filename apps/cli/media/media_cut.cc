// SPDX-License-Identifier: Apache-2.0
// One clip out of a video, or the clips of all items of an annotation file (spec/vilma.md 6).
#include <cstdlib>

#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/media/media.h"
#include "apps/cli/train/clip_flags.h"
#include "snellen/annotations/vilma/vilma_annotations.h"
#include "snellen/base/files.h"
#include "snellen/media/video/transcode.h"
#include "snellen/tasks/vilma/clip_path.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
namespace vilma = tasks::vilma;

struct CutFlags : ClipFlags {
  std::string input;
  std::string output;
  std::vector<std::string> annotations;
  std::string save_dir;
  std::string quva_dir;
  std::string something_something_dir;
  std::string youtube_dir;
  std::string star_dir;
  bool resumes = false;
  unsigned num_threads = 0;
};

Result<FileDone> cut(const fs::path& input,
                     const fs::path& output,
                     const media::ClipWindow& window,
                     bool is_compat) {
  const auto done = media::cut_clip(input, output, window, is_compat);
  if (!done) return done.error();
  return FileDone{
      fmt::format("{}: {} frames", output.string(), done->num_written),
      {{"file", input.string()}, {"output", output.string()}, {"frames", done->num_written}}};
}

vilma::ClipFolders folders_of(const CutFlags& flags) {
  const char* home = std::getenv("HOME");
  const fs::path at_home = home == nullptr ? "" : home;
  return {vilma::clip_folder(flags.quva_dir, at_home),
          vilma::clip_folder(flags.something_something_dir, at_home),
          vilma::clip_folder(flags.star_dir, at_home),
          vilma::clip_folder(flags.youtube_dir, at_home),
          {}};
}

Result<FileDone> cut_item(const annotations::VilmaAnnotations& items,
                          size_t i,
                          const vilma::ClipFolders& folders,
                          const CutFlags& flags) {
  const auto item = items.item(i);
  if (!item) return item.error();
  if (!stays_inside(item->id + ".mp4"))
    return Error{ErrorCode::kInvalidInput, "its id is not a file name", items.where(i)};
  const fs::path output = fs::path(flags.save_dir) / (item->id + ".mp4");
  if (flags.resumes && fs::exists(output)) {
    return FileDone{fmt::format("{}: is there already", output.string()),
                    {{"output", output.string()}, {"skipped", true}}};
  }
  const auto place = vilma::find_clip(*item, folders, flags.is_compat);
  if (!place) return place.error();
  return cut(place->path, output, place->window, flags.is_compat);
}

int run_cut(const Context& context, const CutFlags& flags) {
  if (flags.annotations.empty()) {
    if (flags.input.empty() || flags.output.empty()) {
      throw Error{ErrorCode::kUsage,
                  "nothing to cut",
                  "",
                  "give -i VIDEO -o CLIP, or --annotations FILE --save-dir DIR"};
    }
    return run_file_batch(context, 1, 1, [&](size_t) {
      return cut(flags.input, flags.output, flags.window(), flags.is_compat);
    });
  }
  if (flags.save_dir.empty())
    throw Error{ErrorCode::kUsage, "no folder for the clips", "", "pass --save-dir DIR"};
  const std::vector<fs::path> files(flags.annotations.begin(), flags.annotations.end());
  const annotations::VilmaAnnotations items(files);
  const vilma::ClipFolders folders = folders_of(flags);
  fs::create_directories(flags.save_dir);
  return run_file_batch(context, items.size(), flags.num_threads, [&](size_t i) {
    return cut_item(items, i, folders, flags);
  });
}

}  // namespace

std::function<int()> add_media_cut(CLI::App& media, Context& context) {
  CLI::App* verb = media.add_subcommand("cut", "cut a clip out of a video; sound is left out");
  verb->footer(
      "Frames with start <= time < end are written as H.264, each at its own time. With\n"
      "--annotations every ViLMA item becomes DIR/{item id}.mp4, which is a clip cache.\n"
      "Example:\n  snellen media cut -i video.mp4 -o clip.mp4 -s 12 -e 22");
  auto flags = std::make_shared<CutFlags>();
  verb->add_option("-i,--video-file,--input", flags->input, "the video")->type_name("FILE");
  verb->add_option("-o,--output-file,--output", flags->output, "the clip to write")
      ->type_name("FILE");
  add_clip_flags(*verb, *flags);
  verb->add_option("-a,--annotations,--annotation-file", flags->annotations, "ViLMA items to cut")
      ->type_name("FILE...");
  verb->add_option("--save-dir", flags->save_dir, "folder for their clips")->type_name("DIR");
  verb->add_option("--quva-dir", flags->quva_dir, "holds normalized_videos/")->type_name("DIR");
  verb->add_option("--something-something-dir", flags->something_something_dir, "its .webm files")
      ->type_name("DIR");
  verb->add_option("--youtube-dir,--download-dir", flags->youtube_dir, "{youtube id}.mp4 files")
      ->type_name("DIR");
  verb->add_option("--star-dir", flags->star_dir, "STAR's videos")->type_name("DIR");
  verb->add_flag("--resume", flags->resumes, "leave out clips that are there already");
  add_threads_flag(*verb, flags->num_threads);
  return [&context, flags] { return run_cut(context, *flags); };
}

}  // namespace snellen::cli
