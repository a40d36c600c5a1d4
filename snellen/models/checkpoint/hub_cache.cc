// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/hub_cache.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "hf:";
constexpr std::string_view kFolderPrefix = "models--";
constexpr size_t kLongestName = 96;  // of an organisation or a model, as the hub allows
constexpr size_t kMostRefBytes = 256;

// docs/spec/probe.md 4 and 5.1: what --model of the reference scripts takes.
constexpr auto kReferenceNames = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"bridgetower", "BridgeTower/bridgetower-large-itm-mlm"},
     {"flava", "facebook/flava-full"},
     {"vilt", "dandelin/vilt-b32-finetuned-coco"},
     {"clip_ViT-B/32", "openai/clip-vit-base-patch32"},
     {"clip_ViT-B/16", "openai/clip-vit-base-patch16"},
     {"clip_ViT-L/14", "openai/clip-vit-large-patch14"},
     {"clip_ViT-L/14@336px", "openai/clip-vit-large-patch14-336"},
     {"clip_RN50", "timm/resnet50_clip.openai"},
     {"clip_RN101", "timm/resnet101_clip.openai"},
     {"clip_RN50x4", "timm/resnet50x4_clip.openai"},
     {"clip_RN50x16", "timm/resnet50x16_clip.openai"},
     {"clip_RN50x64", "timm/resnet50x64_clip.openai"},
     {"gpt2", "openai-community/gpt2"}});

bool is_name(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !word.empty() && word.size() <= kLongestName && word.front() != '.' &&
         word.find("--") == std::string_view::npos &&
         word.find_first_not_of(kPlain) == std::string_view::npos;
}

// "openai/clip" as the cache names its folder: "models--openai--clip".
std::string folder_name(std::string_view repository) {
  const size_t slash = repository.find('/');
  if (slash == std::string_view::npos) return fmt::format("{}{}", kFolderPrefix, repository);
  return fmt::format(
      "{}{}--{}", kFolderPrefix, repository.substr(0, slash), repository.substr(slash + 1));
}

std::string repository_of(std::string_view folder) {
  folder.remove_prefix(kFolderPrefix.size());
  const size_t dashes = folder.find("--");
  if (dashes == std::string_view::npos) return std::string(folder);
  return fmt::format("{}/{}", folder.substr(0, dashes), folder.substr(dashes + 2));
}

std::string download_command(const HubName& name) {
  const std::string short_name = name.repository.substr(name.repository.find('/') + 1);
  return fmt::format("get it with: hf download {}{} --local-dir {}, then give that folder",
                     name.repository,
                     name.revision == "main" ? "" : " --revision " + name.revision,
                     short_name);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The commit that a branch or tag points to; the word itself where no ref has its name.
std::string commit_of(const fs::path& repository, const std::string& revision) {
  const fs::path ref = repository / "refs" / revision;
  std::error_code ignored;
  if (!stays_inside(revision) || !fs::is_regular_file(ref, ignored)) return revision;
  std::string commit = read_text_file(ref, kMostRefBytes);
  while (!commit.empty() && (commit.back() == '\n' || commit.back() == ' ')) commit.pop_back();
  // It becomes part of a path.
  if (!is_name(commit))
    throw Error{ErrorCode::kInvalidInput,
                "names no commit",
                ref.string(),
                "remove the file, or download the checkpoint again"};
  return commit;
}

// Files of the snapshot that a model reads and whose link leads nowhere.
std::vector<std::string> lost_files(const fs::path& snapshot) {
  std::vector<std::string> lost;
  for (const fs::path& path : entries_of(snapshot)) {
    constexpr auto kRead =
        std::to_array<std::string_view>({".json", ".txt", ".safetensors", ".bin", ".model"});
    const std::string ending = path.extension().string();
    std::error_code ignored;
    const bool is_read = std::find(kRead.begin(), kRead.end(), ending) != kRead.end();
    if (is_read && fs::is_symlink(path, ignored) && !fs::exists(path, ignored))
      lost.push_back(path.filename().string());
  }
  return lost;
}

}  // namespace

std::optional<HubName> hub_name_of(std::string_view word) {
  const bool is_told = word.starts_with(kPrefix);
  if (is_told) word.remove_prefix(kPrefix.size());
  HubName name;
  if (const size_t at = word.find('@'); at != std::string_view::npos) {
    name.revision = std::string(word.substr(at + 1));
    word = word.substr(0, at);
    if (name.revision.empty() || !stays_inside(name.revision)) return std::nullopt;
  }
  const size_t slash = word.find('/');
  if (slash == std::string_view::npos) {
    if (!is_told || !is_name(word)) return std::nullopt;
  } else if (!is_name(word.substr(0, slash)) || !is_name(word.substr(slash + 1))) {
    return std::nullopt;
  }
  name.repository = std::string(word);
  return name;
}

std::optional<HubName> reference_checkpoint(std::string_view word) {
  for (const auto& [name, checkpoint] : kReferenceNames) {
    if (name == word) return HubName{.repository = std::string(checkpoint)};
  }
  return std::nullopt;
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  for (const auto& [name, checkpoint] : kReferenceNames) names.emplace_back(name);
  return names;
}

std::vector<HubSnapshot> installed_snapshots(const fs::path& cache) {
  std::vector<HubSnapshot> found;
  for (const fs::path& repository : entries_of(cache)) {
    const std::string folder = repository.filename().string();
    if (!folder.starts_with(kFolderPrefix)) continue;
    for (const fs::path& snapshot : entries_of(repository / "snapshots")) {
      HubSnapshot one{.repository = repository_of(folder),
                      .commit = snapshot.filename().string(),
                      .folder = snapshot};
      for (const fs::path& file : entries_of(snapshot)) {
        std::error_code failed;
        const uint64_t size = fs::is_regular_file(file, failed) ? fs::file_size(file, failed) : 0;
        if (!failed) one.num_bytes += size;
      }
      found.push_back(std::move(one));
    }
  }
  return found;
}

fs::path find_in_hub_cache(const HubName& name, const fs::path& cache) {
  const fs::path repository = cache / folder_name(name.repository);
  const fs::path snapshots = repository / "snapshots";
  std::error_code ignored;
  if (cache.empty() || !fs::is_directory(snapshots, ignored)) {
    throw Error{
        ErrorCode::kNotFound,
        fmt::format("{} is neither a folder here nor in the Hugging Face cache", name.repository),
        cache.string(),
        download_command(name)};
  }
  fs::path snapshot = snapshots / commit_of(repository, name.revision);
  if (!fs::is_directory(snapshot, ignored)) {
    std::vector<std::string> commits;
    for (const fs::path& one : entries_of(snapshots)) commits.push_back(one.filename().string());
    // Downloaded by commit alone: no ref says which is main.
    if (name.revision != "main" || commits.size() != 1) {
      throw Error{ErrorCode::kNotFound,
                  fmt::format("{} is in the cache, but not its revision '{}'; there is: {}",
                              name.repository,
                              name.revision,
                              fmt::join(commits, ", ")),
                  repository.string(),
                  fmt::format("name one of them as {}@COMMIT, or download: hf download {} "
                              "--revision {}",
                              name.repository,
                              name.repository,
                              name.revision)};
    }
    snapshot = snapshots / commits.front();
  }
  if (const std::vector<std::string> lost = lost_files(snapshot); !lost.empty()) {
    throw Error{
        ErrorCode::kNotFound,
        fmt::format(
            "{} files are links to files that are gone: {}", lost.size(), fmt::join(lost, ", ")),
        snapshot.string(),
        fmt::format(
            "download them again: hf download {} --revision {}", name.repository, name.revision)};
  }
  return snapshot;
}

void refuse_lfs_pointer(std::string_view bytes, const fs::path& path) {
  if (!bytes.starts_with("version https://git-lfs.github.com/spec/")) return;
  throw Error{ErrorCode::kInvalidInput,
              "is a Git-LFS pointer: the file itself was not downloaded",
              path.string(),
              fmt::format("run `git lfs pull` in {}", path.parent_path().string())};
}

}  // namespace snellen::models
