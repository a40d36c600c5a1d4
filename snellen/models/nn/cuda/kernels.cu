// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "snellen/models/nn/cuda/launch.h"

namespace snellen::models::nn::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kWarp = 32;

__device__ float to_float(float x) { return x; }
__device__ float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ float to_float(__half x) { return __half2float(x); }
template <typename T>
__device__ T from_float(float x);
template <>
__device__ float from_float<float>(float x) { return x; }
template <>
__device__ __nv_bfloat16 from_float<__nv_bfloat16>(float x) { return __float2bfloat16(x); }
template <>
__device__ __half from_float<__half>(float x) { return __float2half(x); }

// Eight elements that move as one or two 16-byte words.
template <typename T>
struct alignas(16) Vector {
  T values[kVector];
};

constexpr float kQuick = 1.702f;

// `x` and `y` may be one.
template <typename T>
__global__ void quick_gelu(const Vector<T>* x, Vector<T>* y, int64_t count) {
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Vector<T> eight = x[i];
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    float v = to_float(eight.values[j]);
    // The quick division gives 0 for a divisor above 2^126, which is what the limit is.
    eight.values[j] = from_float<T>(__fdividef(v, 1.0f + __expf(-kQuick * v)));
  }
  y[i] = eight;
}

template <typename T>
__global__ void quick_gelu_gradient(const Vector<T>* gradient,
                                    const Vector<T>* x,
                                    Vector<T>* result,
                                    int64_t count) {
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Vector<T> eight = x[i], above = gradient[i];
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    float v = to_float(eight.values[j]);
    float s = __fdividef(1.0f, 1.0f + __expf(-kQuick * v));
    eight.values[j] =
        from_float<T>(to_float(above.values[j]) * (s + kQuick * v * s * (1.0f - s)));
  }
  result[i] = eight;
}

__device__ float warp_sum(float x) {
#pragma unroll
  for (int step = kWarp / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xFFFFFFFFu, x, step);
  return x;
}

// One warp a row; a lane holds kHeld vectors of it, so both passes of the variance stay in
// registers.
template <typename T, int kHeld>
__global__ void add_norm(AddNorm work) {
  int64_t row = static_cast<int64_t>(blockIdx.x) * (kThreads / kWarp) + threadIdx.x / kWarp;
  if (row >= work.rows) return;
  int lane = threadIdx.x % kWarp;
  int num_vectors = static_cast<int>(work.width / kVector);
  int64_t first = row * num_vectors;
  const auto* x = static_cast<const Vector<T>*>(work.x) + first;
  const auto* y = static_cast<const Vector<T>*>(work.y) + first;
  auto* sums = static_cast<Vector<T>*>(work.sum) + first;
  float held[kHeld][kVector];
  float total = 0;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    int at = lane + k * kWarp;
    if (at >= num_vectors) continue;
    Vector<T> a = x[at], b = y[at], sum;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      // Rounded as it is stored: what the norm sees is what the next layer adds to.
      sum.values[j] = from_float<T>(to_float(a.values[j]) + to_float(b.values[j]));
      held[k][j] = to_float(sum.values[j]);
      total += held[k][j];
    }
    sums[at] = sum;
  }
  float mean = warp_sum(total) / static_cast<float>(work.width);
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    if (lane + k * kWarp >= num_vectors) continue;
#pragma unroll
    for (int j = 0; j < kVector; ++j) squares += (held[k][j] - mean) * (held[k][j] - mean);
  }
  float scale = rsqrtf(warp_sum(squares) / static_cast<float>(work.width) + work.eps);
  const auto* weight = static_cast<const Vector<T>*>(work.weight);
  const auto* bias = static_cast<const Vector<T>*>(work.bias);
  auto* normed = static_cast<Vector<T>*>(work.normed) + first;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    int at = lane + k * kWarp;
    if (at >= num_vectors) continue;
    Vector<T> w = weight[at], b = bias[at], out;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      out.values[j] = from_float<T>((held[k][j] - mean) * scale * to_float(w.values[j]) +
                                    to_float(b.values[j]));
    }
    normed[at] = out;
  }
}

template <typename T>
void launch_add_norm_of(const AddNorm& work, cudaStream_t stream) {
  constexpr int kRowsPerBlock = kThreads / kWarp;
  auto blocks = static_cast<unsigned>((work.rows + kRowsPerBlock - 1) / kRowsPerBlock);
  int64_t held = (work.width / kVector + kWarp - 1) / kWarp;
  if (held <= 2) {
    add_norm<T, 2><<<blocks, kThreads, 0, stream>>>(work);
  } else if (held <= 3) {
    add_norm<T, 3><<<blocks, kThreads, 0, stream>>>(work);
  } else if (held <= 4) {
    add_norm<T, 4><<<blocks, kThreads, 0, stream>>>(work);
  } else if (held <= 8) {
    add_norm<T, 8><<<blocks, kThreads, 0, stream>>>(work);
  } else {
    add_norm<T, 16><<<blocks, kThreads, 0, stream>>>(work);
  }
}

unsigned blocks_of(int64_t vectors) {
  return static_cast<unsigned>((vectors + kThreads - 1) / kThreads);
}

template <typename T>
void launch_quick_gelu_of(const void* x, void* y, int64_t count, cudaStream_t stream) {
  int64_t vectors = count / kVector;
  quick_gelu<T><<<blocks_of(vectors), kThreads, 0, stream>>>(
      static_cast<const Vector<T>*>(x), static_cast<Vector<T>*>(y), vectors);
}

template <typename T>
void launch_quick_gelu_gradient_of(
    const void* gradient, const void* x, void* result, int64_t count, cudaStream_t stream) {
  int64_t vectors = count / kVector;
  quick_gelu_gradient<T>
      <<<blocks_of(vectors), kThreads, 0, stream>>>(static_cast<const Vector<T>*>(gradient),
                                                    static_cast<const Vector<T>*>(x),
                                                    static_cast<Vector<T>*>(result),
                                                    vectors);
}

}  // namespace

void launch_quick_gelu(Element type, const void* x, void* y, int64_t count, void* stream) {
  auto on = static_cast<cudaStream_t>(stream);
  switch (type) {
    case Element::kFloat32:
      return launch_quick_gelu_of<float>(x, y, count, on);
    case Element::kBFloat16:
      return launch_quick_gelu_of<__nv_bfloat16>(x, y, count, on);
    case Element::kFloat16:
      return launch_quick_gelu_of<__half>(x, y, count, on);
  }
}

void launch_quick_gelu_gradient(Element type,
                                const void* gradient,
                                const void* x,
                                void* result,
                                int64_t count,
                                void* stream) {
  auto on = static_cast<cudaStream_t>(stream);
  switch (type) {
    case Element::kFloat32:
      return launch_quick_gelu_gradient_of<float>(gradient, x, result, count, on);
    case Element::kBFloat16:
      return launch_quick_gelu_gradient_of<__nv_bfloat16>(gradient, x, result, count, on);
    case Element::kFloat16:
      return launch_quick_gelu_gradient_of<__half>(gradient, x, result, count, on);
  }
}

void launch_add_norm(Element type, const AddNorm& work, void* stream) {
  auto on = static_cast<cudaStream_t>(stream);
  switch (type) {
    case Element::kFloat32:
      return launch_add_norm_of<float>(work, on);
    case Element::kBFloat16:
      return launch_add_norm_of<__nv_bfloat16>(work, on);
    case Element::kFloat16:
      return launch_add_norm_of<__half>(work, on);
  }
}

}  // namespace snellen::models::nn::cuda
