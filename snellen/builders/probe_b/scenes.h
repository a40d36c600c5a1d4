// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "snellen/media/image.h"

namespace snellen::builders::probe_b {

// The pictures that stand in for a removed background, in the order of their names' bytes. Decoded
// ones are kept up to a quarter of a gigabyte. Safe from many threads.
class Scenes {
 public:
  // Files of the folder that are pictures by their names; with an allow-list (a name a line) only
  // those on it. Throws kNotFound for a folder or a listed file that is not there, kInvalidInput
  // when no picture is left.
  Scenes(const std::filesystem::path& folder, const std::filesystem::path& allow_list);

  size_t size() const { return files_.size(); }
  const std::filesystem::path& file(size_t index) const { return files_.at(index); }
  // Throws when the file is no picture: scenes are few and the user's own choice.
  std::shared_ptr<const media::Image> picture(size_t index);

 private:
  std::vector<std::filesystem::path> files_;
  std::mutex mutex_;  // guards kept_ and kept_bytes_
  std::map<size_t, std::shared_ptr<const media::Image>> kept_;
  size_t kept_bytes_ = 0;
};

}  // namespace snellen::builders::probe_b
