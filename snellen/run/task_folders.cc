// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/task_folders.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/nearest.h"
#include "snellen/run/catalogue.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// Where the name before '=' ends; npos where the text does not begin with one.
size_t end_of_name(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const size_t end = text.find_first_not_of(kPlain);
  return end != 0 && end < text.size() && text[end] == '=' ? end : std::string_view::npos;
}

[[noreturn]] void refuse_name(const std::string& name,
                              const std::string& flag,
                              bool of_images,
                              const Catalogue& catalogue) {
  std::vector<std::string> known;
  for (const auto& entry : catalogue.tasks) {
    const tasks::TaskFacts& facts = entry->facts();
    known.push_back(facts.name);
    const bool is_new = std::find(known.begin(), known.end(), facts.images) == known.end();
    if (of_images && !facts.images.empty() && is_new) known.push_back(facts.images);
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("'{}' is neither a task nor a folder", name.substr(0, 80)),
              "--" + flag,
              suggest(name, known)};
}

// A file in a folder's place: mostly an archive that was not unpacked.
void check_folder(const fs::path& folder, const std::string& flag) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder, ignored)) return;
  const std::string ending = folder.extension().string();
  const bool is_archive = ending == ".zip" || ending == ".gz" || ending == ".tar";
  throw Error{ErrorCode::kUsage,
              fmt::format("{} is a file, not a folder", folder.string()),
              "--" + flag,
              is_archive ? "unpack it and give the folder" : "give the folder that holds it"};
}

// The folder for the task; nothing where none is named for it.
std::optional<fs::path> folder_for(const std::string& text,
                                   const std::string& flag,
                                   const tasks::TaskFacts& task,
                                   const Catalogue& catalogue) {
  const bool of_images = flag == "images";
  std::optional<fs::path> for_all;
  std::optional<fs::path> own;
  for (const NamedFolder& one : named_folders(text)) {
    auto means = [&](const auto& entry) {
      return is_for_task(one.name, entry->facts(), of_images);
    };
    if (one.name.empty()) {
      for_all = one.folder;
    } else if (is_for_task(one.name, task, of_images)) {
      own = one.folder;
    } else if (std::none_of(catalogue.tasks.begin(), catalogue.tasks.end(), means)) {
      // A folder may have '=' in its name.
      const fs::path whole = one.name + "=" + one.folder.string();
      if (!fs::exists(whole)) refuse_name(one.name, flag, of_images, catalogue);
      for_all = whole;
    }
  }
  return own ? own : for_all;
}

}  // namespace

std::vector<NamedFolder> named_folders(std::string_view text) {
  std::vector<NamedFolder> folders;
  while (!text.empty()) {
    const size_t name = end_of_name(text);
    size_t end = text.find(',');
    while (end != std::string_view::npos &&
           end_of_name(text.substr(end + 1)) == std::string_view::npos)
      end = text.find(',', end + 1);
    const std::string_view piece = text.substr(0, end);
    if (name == std::string_view::npos) {
      folders.push_back({"", fs::path(piece)});
    } else {
      folders.push_back({std::string(piece.substr(0, name)), fs::path(piece.substr(name + 1))});
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return folders;
}

bool is_for_task(std::string_view name, const tasks::TaskFacts& task, bool of_images) {
  if (name == task.name || (of_images && name == task.images)) return true;
  return task.name.size() > name.size() && task.name.starts_with(name) &&
         task.name[name.size()] == '-';
}

config::Options options_of_task(const config::Options& options,
                                const tasks::TaskFacts& task,
                                const Catalogue& catalogue) {
  config::Options own = options;
  for (const std::string flag : {"data", "images"}) {
    const std::string text = options.text(flag);
    if (text.empty()) continue;
    const std::optional<fs::path> folder = folder_for(text, flag, task, catalogue);
    const fs::path used = folder ? *folder : fs::path(flag == "data" ? "." : "");
    check_folder(used, flag);
    if (used != fs::path(text)) own.set(flag, used.string(), "--" + flag);
  }
  return own;
}

}  // namespace snellen::run
