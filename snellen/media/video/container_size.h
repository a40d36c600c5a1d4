// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace snellen::media {

// Reads up to `out.size()` bytes at `offset` and says how many there were.
using ReadAt = std::function<size_t(int64_t offset, std::span<uint8_t> out)>;

// How many bytes an MP4/MOV, Matroska/WebM or AVI file must have by its own outermost sizes;
// nothing for other formats and for files that leave their size open (live recordings). A file
// with fewer bytes was cut short, which FFmpeg's demuxers often take for a plain end.
std::optional<int64_t> claimed_container_bytes(const ReadAt& read_at, int64_t num_bytes);

}  // namespace snellen::media
