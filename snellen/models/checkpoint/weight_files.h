// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"
#include "snellen/models/checkpoint/tensor_view.h"

namespace snellen::models {

// Whose files and names a folder has: Hugging Face's or open_clip's.
enum class Layout { kAuto, kHuggingFace, kOpenClip };

// The weights of a folder, each file mapped once; only headers are read, so a large checkpoint
// opens in milliseconds. The first that exists is taken: model.safetensors,
// model.safetensors.index.json, pytorch_model.bin, pytorch_model.bin.index.json,
// open_clip_model.safetensors, open_clip_pytorch_model.bin (the last two come first with
// Layout::kOpenClip). Names are as weight_names.h says: old buffers are gone, old names are the new
// ones. Const methods are safe from many threads.
class WeightFiles {
 public:
  // Throws kNotFound when there is no weight file, kInvalidInput for one that fails a check.
  explicit WeightFiles(const std::filesystem::path& folder, Layout layout = Layout::kAuto);

  // Null when there is none. Views stay valid as long as this object, also when it is moved.
  const StoredTensorView* find(std::string_view name) const;
  // The first of several names that exists; null when none does.
  const StoredTensorView* find_any(std::span<const std::string> names) const;

  // All names, sorted.
  std::vector<std::string> names() const;
  // The files read, in the order they were read: an index before its shards.
  const std::vector<std::filesystem::path>& files() const { return files_; }

  // Gives the mapped pages back to the system once weights were copied; later reads fetch them
  // again.
  void release() const;
  // The same for one tensor of these files.
  void release(const StoredTensorView& tensor) const;

 private:
  void add_file(const std::filesystem::path& path);
  void add_shards(const std::filesystem::path& index);
  std::vector<NamedTensor> map_tensors(const std::filesystem::path& path);
  void add(NamedTensor named, const std::filesystem::path& path);

  std::vector<std::filesystem::path> files_;
  std::vector<MappedFile> mapped_;
  std::map<std::string, StoredTensorView, std::less<>> tensors_;
};

}  // namespace snellen::models
