// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weight_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/hub_cache.h"
#include "snellen/models/checkpoint/safetensors.h"
#include "snellen/models/checkpoint/torch_archive.h"
#include "snellen/models/checkpoint/weight_names.h"
#include "snellen/models/checkpoint/weights_index.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kHuggingFaceFiles = {"model.safetensors",
                                                               "model.safetensors.index.json",
                                                               "pytorch_model.bin",
                                                               "pytorch_model.bin.index.json"};
constexpr std::array<std::string_view, 2> kOpenClipFiles = {"open_clip_model.safetensors",
                                                            "open_clip_pytorch_model.bin"};

fs::path first_weight_file(const fs::path& folder, Layout layout) {
  std::vector<std::string_view> names(kHuggingFaceFiles.begin(), kHuggingFaceFiles.end());
  names.insert(layout == Layout::kOpenClip ? names.begin() : names.end(),
               kOpenClipFiles.begin(),
               kOpenClipFiles.end());
  for (std::string_view name : names) {
    std::error_code ignored;
    if (fs::exists(folder / name, ignored)) return folder / name;
  }
  throw Error{ErrorCode::kNotFound,
              "holds no weights: none of " + fmt::format("{}", fmt::join(names, ", ")),
              folder.string(),
              "give the folder of a checkpoint as it was downloaded"};
}

}  // namespace

WeightFiles::WeightFiles(const fs::path& folder, Layout layout) {
  fs::path first = first_weight_file(folder, layout);
  if (first.extension() == ".json") {
    add_shards(first);
  } else {
    add_file(first);
  }
}

std::vector<NamedTensor> WeightFiles::map_tensors(const fs::path& path) {
  const MappedFile& file = mapped_.emplace_back(path);
  refuse_lfs_pointer(file.bytes(), path);
  files_.push_back(path);
  return path.extension() == ".safetensors" ? read_safetensors(file.bytes(), path.string())
                                            : read_torch_archive(file.bytes(), path.string());
}

void WeightFiles::add(NamedTensor named, const fs::path& path) {
  if (is_dropped(named.name)) return;
  std::string name = renamed(named.name);
  if (!tensors_.emplace(name, std::move(named.tensor)).second) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("weight '{}' is there twice, here as '{}'", name, named.name),
                path.string(),
                "keep one of the two"};
  }
}

void WeightFiles::add_file(const fs::path& path) {
  for (NamedTensor& named : map_tensors(path)) add(std::move(named), path);
}

void WeightFiles::add_shards(const fs::path& index) {
  files_.push_back(index);
  const auto shard_of = read_weights_index(read_text_file(index), index.string());
  auto missing = shard_of;
  std::set<std::string> shards;
  for (const auto& [name, shard] : shard_of) shards.insert(shard);
  for (const std::string& shard : shards) {
    fs::path path = index.parent_path() / shard;
    for (NamedTensor& named : map_tensors(path)) {
      auto listed = shard_of.find(named.name);
      // A copy in another shard than the index says is not the weight's.
      if (listed != shard_of.end() && listed->second != shard) continue;
      missing.erase(named.name);
      add(std::move(named), path);
    }
  }
  if (missing.empty()) return;
  const auto& [name, shard] = *missing.begin();
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("weight '{}' is not in '{}', where the index says it is", name, shard),
              index.string(),
              "download the folder again: index and files are of two versions"};
}

const StoredTensorView* WeightFiles::find(std::string_view name) const {
  auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

const StoredTensorView* WeightFiles::find_any(std::span<const std::string> names) const {
  for (const std::string& name : names) {
    if (const StoredTensorView* tensor = find(name)) return tensor;
  }
  return nullptr;
}

std::vector<std::string> WeightFiles::names() const {
  std::vector<std::string> names;
  names.reserve(tensors_.size());
  for (const auto& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

void WeightFiles::release(const StoredTensorView& tensor) const {
  // Whole pages only: the first and the last may hold a neighbour that is still to be read. The
  // mapping is private and never written, so what is dropped is still in the file.
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  size_t before = (page - reinterpret_cast<uintptr_t>(tensor.bytes.data()) % page) % page;
  if (tensor.bytes.size() < before + page) return;
  size_t whole = (tensor.bytes.size() - before) / page * page;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): madvise() writes nothing
  void* first = const_cast<char*>(tensor.bytes.data() + before);
  (void)::madvise(first, whole, MADV_DONTNEED);
}

void WeightFiles::release() const {
  for (const MappedFile& file : mapped_) file.release_pages();
}

}  // namespace snellen::models
