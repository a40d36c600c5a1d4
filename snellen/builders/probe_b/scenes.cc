// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/scenes.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"

namespace snellen::builders::probe_b {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostKeptBytes = size_t{256} << 20;

bool is_picture_name(const fs::path& path) {
  const std::string extension = ascii_lower(path.extension().string());
  constexpr std::array kKnown = {".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp"};
  return std::find(kKnown.begin(), kKnown.end(), extension) != kKnown.end();
}

std::set<std::string> lines_of(const fs::path& path) {
  std::set<std::string> lines;
  std::string text = read_text_file(path);
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) lines.insert(line);
    at = end + 1;
  }
  return lines;
}

}  // namespace

Scenes::Scenes(const fs::path& folder, const fs::path& allow_list) {
  std::error_code code;
  std::set<std::string> names;  // std::string compares bytes
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (is_picture_name(entry.path())) names.insert(entry.path().filename().string());
  }
  if (code) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be listed: {}", code.message()),
                folder.string(),
                "name a folder of pictures without COCO objects with --scenes"};
  }
  if (!allow_list.empty()) {
    std::set<std::string> allowed = lines_of(allow_list);
    for (const std::string& name : allowed) {
      if (!names.contains(name)) {
        throw Error{ErrorCode::kNotFound,
                    fmt::format("'{}' is not in {}", name, folder.string()),
                    allow_list.string(),
                    "mend the list, or add the picture"};
      }
    }
    names = std::move(allowed);
  }
  for (const std::string& name : names) files_.push_back(folder / name);
  if (files_.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "no picture found",
                folder.string(),
                "put scene pictures there, or leave the filler scene out with --fill-type"};
  }
}

std::shared_ptr<const media::Image> Scenes::picture(size_t index) {
  {
    std::lock_guard lock(mutex_);
    auto found = kept_.find(index);
    if (found != kept_.end()) return found->second;
  }
  auto picture = std::make_shared<const media::Image>(media::read_image(files_.at(index)).value());
  std::lock_guard lock(mutex_);
  if (kept_bytes_ + picture->pixels.size() <= kMostKeptBytes &&
      kept_.emplace(index, picture).second)
    kept_bytes_ += picture->pixels.size();
  return picture;
}

}  // namespace snellen::builders::probe_b
