// SPDX-License-Identifier: Apache-2.0
// RGB8 pictures out as files. Both throw kInternal when the library refuses a valid picture (out of
// memory). Same picture and options, same bytes.
#pragma once

#include <string>

#include "snellen/media/image.h"

namespace snellen::media {

enum class ChromaSubsampling { k444, k422, k420 };

struct JpegOptions {
  int quality = 95;  // 1 to 100
  ChromaSubsampling subsampling = ChromaSubsampling::k420;
};

// Baseline, with libjpeg's standard tables: the bytes Pillow and OpenCV write for these settings.
std::string encode_jpeg(const Image& image, const JpegOptions& options = {});

struct PngOptions {
  int compression = 6;      // zlib's level, 0 to 9
  bool is_filtered = true;  // false: no row filters, quicker and no larger for noise
  // Values are coded one by one without a search for repeats: for noise ten times as fast, and
  // smaller.
  bool is_huffman_only = false;
};

std::string encode_png(const Image& image, const PngOptions& options = {});

}  // namespace snellen::media
