// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/codecs/jpeg_entropy.h"
#include "snellen/media/resample/rounding.h"
#include "snellen/models/nn/cuda/pictures.h"

namespace snellen::models::nn::cuda {
namespace {

namespace jpeg = media::jpeg;

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kBlocksAtOnce = 8;  // of 8 x 8

// A file's bits have to be read one after the other: a warp a file, of which one lane works, so
// that no file waits for another's branches. Many files hide each other's waiting.
__global__ void read_scans(const PictureWork* works) {
  __shared__ jpeg::Scan scan;
  const PictureWork& work = works[blockIdx.x];
  const auto* from = reinterpret_cast<const int32_t*>(work.scan);
  auto* to = reinterpret_cast<int32_t*>(&scan);
  static_assert(sizeof(jpeg::Scan) % sizeof(int32_t) == 0);
  for (int i = threadIdx.x; i < static_cast<int>(sizeof(scan) / sizeof(int32_t)); i += kWarp)
    to[i] = from[i];
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (!jpeg::read_scan(scan, work.file, work.file_size, work.coefficients))
    *work.is_left_over = 1;
}

// Eight threads a block: each a column, then each a row.
__global__ void transform_blocks(const PictureWork* works) {
  __shared__ int32_t values[kBlocksAtOnce][8][9];
  const PictureWork& work = works[blockIdx.y];
  const int inside = threadIdx.x / 8, lane = threadIdx.x % 8;
  int64_t block = static_cast<int64_t>(blockIdx.x) * kBlocksAtOnce + inside;
  int p = 0;
  for (; p < 3; ++p) {
    const jpeg::Plane& plane = work.scan->planes[p];
    const int64_t count = static_cast<int64_t>(plane.blocks_across) * plane.blocks_down;
    if (block < count) break;
    block -= count;
  }
  const bool is_inside = p < 3;
  int32_t eight[8];
  if (is_inside) {
    const int16_t* in = work.coefficients[p] + 64 * block;
    const uint16_t* steps = work.scan->planes[p].quantisation;
    for (int y = 0; y < 8; ++y) eight[y] = in[8 * y + lane] * steps[8 * y + lane];
    jpeg::transform(eight, 1, jpeg::kColumnShift);
    for (int y = 0; y < 8; ++y) values[inside][y][lane] = eight[y];
  }
  __syncthreads();
  if (!is_inside) return;
  for (int x = 0; x < 8; ++x) eight[x] = values[inside][lane][x];
  jpeg::transform(eight, 1, jpeg::kRowShift);
  const int64_t across = work.scan->planes[p].blocks_across;
  uint8_t* out = work.samples[p] + ((block / across) * 8 + lane) * across * 8 + block % across * 8;
  for (int x = 0; x < 8; ++x) out[x] = jpeg::sample_of(eight[x]);
}

__global__ void colour_parts(const PictureWork* works) {
  const PictureWork& work = works[blockIdx.y];
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const PictureBytes& part = work.part;
  if (i >= static_cast<int64_t>(part.width) * part.height) return;
  jpeg::Samples planes[3];
  for (int p = 0; p < 3; ++p) {
    const jpeg::Plane& plane = work.scan->planes[p];
    planes[p] = {work.samples[p], plane.blocks_across * 8, plane.width, plane.height};
  }
  const int x = static_cast<int>(i % part.width), y = static_cast<int>(i / part.width);
  const jpeg::Rgb rgb = jpeg::pixel_of(work.scan->chroma, planes, work.left + x, work.top + y);
  uint8_t* out = part.first + y * part.stride + 3 * x;
  out[0] = rgb.red;
  out[1] = rgb.green;
  out[2] = rgb.blue;
}

// Pass number `number` of each picture; without passes the last one copies.
__global__ void resize_pass(const PictureWork* works, int number) {
  const PictureWork& work = works[blockIdx.y];
  const bool is_last = number == 1;
  // A single pass is the last one.
  const int own = is_last ? work.num_passes - 1 : (work.num_passes == 2 ? 0 : -2);
  if (own == -2) return;
  const PictureBytes& in = is_last && work.num_passes == 2 ? work.between : work.part;
  const PictureBytes& out = is_last ? work.result : work.between;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= static_cast<int64_t>(out.width) * out.height) return;
  const int x = static_cast<int>(i % out.width), y = static_cast<int>(i / out.width);
  uint8_t* to = out.first + y * out.stride + 3 * x;
  if (own < 0) {
    for (int c = 0; c < 3; ++c) to[c] = in.first[y * in.stride + 3 * x + c];
    return;
  }
  const PictureResizePass& pass = work.passes[own];
  const int output = pass.is_vertical ? y : x;
  const int start = pass.starts[output], count = pass.counts[output];
  const int32_t* taps = pass.taps + static_cast<int64_t>(output) * pass.max_taps;
  const int64_t step = pass.is_vertical ? in.stride : 3;
  const uint8_t* from =
      pass.is_vertical ? in.first + start * in.stride + 3 * x : in.first + y * in.stride + 3 * start;
  int32_t sums[3] = {media::kHalf, media::kHalf, media::kHalf};
  for (int k = 0; k < count; ++k, from += step) {
    const int32_t weight = taps[k];
    for (int c = 0; c < 3; ++c) sums[c] += weight * from[c];
  }
  for (int c = 0; c < 3; ++c) to[c] = media::to_byte(sums[c]);
}

dim3 grid_of(int64_t total, int64_t at_once, int32_t count) {
  return {static_cast<unsigned>((total + at_once - 1) / at_once), static_cast<unsigned>(count), 1};
}

}  // namespace

void launch_pictures(const PictureWork* works,
                     int32_t count,
                     const PictureExtent& extent,
                     void* stream) {
  auto on = static_cast<cudaStream_t>(stream);
  read_scans<<<static_cast<unsigned>(count), kWarp, 0, on>>>(works);
  transform_blocks<<<grid_of(extent.blocks, kBlocksAtOnce, count), 8 * kBlocksAtOnce, 0, on>>>(works);
  colour_parts<<<grid_of(extent.part_pixels, kThreads, count), kThreads, 0, on>>>(works);
  if (extent.between_pixels > 0)
    resize_pass<<<grid_of(extent.between_pixels, kThreads, count), kThreads, 0, on>>>(works, 0);
  resize_pass<<<grid_of(extent.result_pixels, kThreads, count), kThreads, 0, on>>>(works, 1);
}

}  // namespace snellen::models::nn::cuda
