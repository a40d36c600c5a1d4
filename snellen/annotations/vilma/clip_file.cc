// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/clip_file.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;

constexpr size_t kYoutubeIdLength = 11;
constexpr std::array<std::string_view, 4> kEndings = {".mp4", ".webm", ".mkv", ".avi"};

struct Name {
  std::string text;    // without its ending
  std::string ending;  // looked for first
  bool is_cut = false;
};

struct Source {
  fs::path folder;
  std::string flag;  // that names the folder
  std::vector<Name> names;
};

std::string where(const VilmaItem& item) {
  return fmt::format("item '{}'", item.id);
}

Error no_source(const VilmaItem& item, std::string what, std::string hint) {
  return Error{ErrorCode::kInvalidInput, std::move(what), where(item), std::move(hint)};
}

Result<Source> quva_source(const VilmaItem& item, const ClipFolders& folders) {
  if (!item.is_normalized) {
    return no_source(item,
                     "its frame numbers are not those of the 30-fps videos",
                     "use the annotations with \"normalized\": true");
  }
  const fs::path file = item.video_file;
  Source source{folders.quva, "--quva-dir", {}};
  if (!source.folder.empty()) source.folder /= "normalized_videos";
  source.names.push_back({fs::path(file).replace_extension().string(), file.extension().string()});
  return source;
}

Source youtube_source(const VilmaItem& item, const ClipFolders& folders, bool is_compat) {
  Source source{folders.youtube, "--youtube-dir", {{item.youtube_id, ".mp4"}}};
  if (is_compat || item.dataset != "VidSitu") return source;
  // VidSitu's ids carry one or two more digits than YouTube's.
  if (item.youtube_id.size() > kYoutubeIdLength)
    source.names.push_back({item.youtube_id.substr(0, kYoutubeIdLength), ".mp4"});
  if (!item.video_file.empty()) source.names.push_back({item.video_file, ".mp4", true});
  return source;
}

Result<Source> source_of(const VilmaItem& item, const ClipFolders& folders, bool is_compat) {
  if (item.dataset == "QUVA") return quva_source(item, folders);
  if (item.dataset == "something-something-v2") {
    return Source{
        folders.something_something, "--something-something-dir", {{item.dataset_idx, ".webm"}}};
  }
  if (item.dataset == "star")
    return Source{folders.star, "--star-dir", {{item.video_file, ".mp4"}}};
  for (std::string_view known : {"RareAct", "VidSitu", "youcook2", "coin"}) {
    if (item.dataset == known) return youtube_source(item, folders, is_compat);
  }
  return no_source(item,
                   fmt::format("unknown data set '{}'", item.dataset),
                   "known: QUVA, something-something-v2, star, RareAct, VidSitu, youcook2, coin");
}

ClipFile uncut(const VilmaItem& item, fs::path path) {
  return {.path = std::move(path),
          .start = item.start_time,
          .end = item.end_time,
          .unit = item.time_unit};
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The endings a name is looked for with, its own first.
std::vector<std::string> endings_of(const Name& name, bool is_compat) {
  std::vector<std::string> endings = {name.ending};
  for (std::string_view ending : kEndings) {
    if (!is_compat && ending != name.ending) endings.emplace_back(ending);
  }
  return endings;
}

Result<ClipFile> search(const VilmaItem& item, const Source& source, bool is_compat) {
  if (source.folder.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("no folder is given for the videos of {}", item.dataset),
                 where(item),
                 fmt::format("pass {} DIR", source.flag)};
  }
  std::string tried;
  for (const Name& name : source.names) {
    if (name.text.empty() || !stays_inside(name.text)) {
      return no_source(item,
                       fmt::format("'{}' is not the name of a video", name.text),
                       "fix the annotation file");
    }
    for (const std::string& ending : endings_of(name, is_compat)) {
      const fs::path path = source.folder / (name.text + ending);
      if (is_file(path)) return name.is_cut ? ClipFile{path, true} : uncut(item, path);
    }
    tried += fmt::format("{}{}{}", tried.empty() ? "" : ", ", name.text, name.ending);
  }
  return Error{ErrorCode::kNotFound,
               fmt::format("no video {} in {}", tried, source.folder.string()),
               where(item),
               "download it, or leave the item out"};
}

}  // namespace

fs::path clip_folder(std::string_view text, const fs::path& home) {
  if (text.empty()) return {};
  if (text == "~") return home;
  if (text.starts_with("~/")) return home / text.substr(2);
  return fs::absolute(fs::path(text));
}

Result<ClipFile> find_clip(const VilmaItem& item, const ClipFolders& folders, bool is_compat) {
  if (!folders.cache.empty() && stays_inside(item.id + ".mp4")) {
    const fs::path cached = folders.cache / (item.id + ".mp4");
    if (is_file(cached)) return ClipFile{cached, true};
  }
  Result<Source> source = source_of(item, folders, is_compat);
  if (!source) {
    if (is_compat) throw source.error();
    return source.error();
  }
  return search(item, *source, is_compat);
}

}  // namespace snellen::annotations
