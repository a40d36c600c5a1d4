// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/jpeg_scan.h"

namespace snellen::media {

// Nothing for pictures of another kind, which decode.h reads: other formats, progressive files,
// several scans, grey and CMYK, unusual sampling, very large ones, and whatever has no end.
std::optional<jpeg::Scan> read_jpeg_scan(std::string_view bytes, const DecodeOptions& options = {});

}  // namespace snellen::media
