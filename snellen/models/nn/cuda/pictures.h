// SPDX-License-Identifier: Apache-2.0
// JPEG files to cut bytes on an NVIDIA device; what nvcc compiles and the host compiler calls.
// Pointers are to device memory, `stream` is a cudaStream_t.
#pragma once

#include <cstdint>

#include "snellen/media/codecs/jpeg_scan.h"

namespace snellen::models::nn::cuda {

// Output i is the weighted sum of counts[i] inputs from starts[i] on; its weights begin at
// taps[i * max_taps].
struct PictureResizePass {
  int32_t is_vertical;
  int32_t max_taps;
  const int32_t* starts;
  const int32_t* counts;
  const int32_t* taps;
};

struct PictureBytes {
  uint8_t* first;
  int64_t stride;
  int32_t width;
  int32_t height;
};

struct PictureWork {
  const media::jpeg::Scan* scan;
  const uint8_t* file;
  int64_t file_size;
  int16_t* coefficients[3];  // zeros
  uint8_t* samples[3];       // as many
  int32_t left;              // of the picture, the part that is cut
  int32_t top;
  PictureBytes part;  // the pixels of that part; each stage writes the next one
  int32_t num_passes;
  PictureResizePass passes[2];
  PictureBytes between;
  PictureBytes result;
  int32_t* is_left_over;  // comes to be 1 where the CPU should decode it
};

// The largest of each kind among the works.
struct PictureExtent {
  int64_t blocks = 0;
  int64_t part_pixels = 0;
  int64_t between_pixels = 0;
  int64_t result_pixels = 0;
};

void launch_pictures(const PictureWork* works,
                     int32_t count,
                     const PictureExtent& extent,
                     void* stream);

}  // namespace snellen::models::nn::cuda
