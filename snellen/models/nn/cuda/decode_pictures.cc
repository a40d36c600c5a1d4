// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/decode_pictures.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <c10/core/InferenceMode.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "snellen/base/error.h"
#include "snellen/models/network.h"
#include "snellen/models/nn/cuda/pictures.h"

namespace snellen::models::nn::cuda {
namespace {

constexpr size_t kAlignment = 64;

size_t aligned(size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

class Decoded final : public DevicePictures {
 public:
  explicit Decoded(at::Tensor tensor) : tensor_(std::move(tensor)) {}
  const at::Tensor& tensor() const { return tensor_; }
  std::vector<uint8_t> bytes() const override {
    c10::InferenceMode inference;
    const at::Tensor here = tensor_.to(at::kCPU).contiguous();
    const auto* first = here.const_data_ptr<uint8_t>();
    return {first, first + here.numel()};
  }

 private:
  at::Tensor tensor_;
};

// Hands out places before there is memory.
class Layout {
 public:
  size_t reserve(size_t size) {
    const size_t place = size_;
    size_ += aligned(size);
    return place;
  }
  int64_t size() const { return static_cast<int64_t>(size_); }

 private:
  size_t size_ = 0;
};

// One buffer that is filled here and copied to the device in one go. Places are handed out first,
// so that what is filled in may point to where it will lie there.
class Upload {
 public:
  size_t reserve(size_t size) { return layout_.reserve(size); }
  void open(at::Device device) {
    auto bytes = at::TensorOptions().dtype(at::kByte);
    here_ = at::empty({layout_.size()}, bytes.pinned_memory(true));
    there_ = at::empty({layout_.size()}, bytes.device(device));
  }
  template <typename T>
  void put(size_t place, std::span<const T> values) {
    std::memcpy(here_.data_ptr<uint8_t>() + place, values.data(), values.size_bytes());
  }
  template <typename T>
  T* on_device(size_t place) const {
    return reinterpret_cast<T*>(there_.data_ptr<uint8_t>() + place);
  }
  void send() { there_.copy_(here_, /*non_blocking=*/true); }

 private:
  Layout layout_;
  at::Tensor here_;
  at::Tensor there_;
};

// Device memory that only the device writes.
class Scratch {
 public:
  size_t reserve(size_t size) { return layout_.reserve(size); }
  void open(at::Device device, bool is_zero) {
    auto options = at::TensorOptions().dtype(at::kByte).device(device);
    const int64_t size = layout_.size();
    memory_ = is_zero ? at::zeros({size}, options) : at::empty({size}, options);
  }
  template <typename T>
  T* at_place(size_t place) const {
    return reinterpret_cast<T*>(memory_.data_ptr<uint8_t>() + place);
  }
  const at::Tensor& memory() const { return memory_; }

 private:
  Layout layout_;
  at::Tensor memory_;
};

struct PassPlaces {
  size_t starts = 0;
  size_t counts = 0;
  size_t taps = 0;
};

std::vector<int32_t> starts_of(const media::Weights& weights) {
  std::vector<int32_t> starts;
  for (int i = 0; i < weights.num_outputs(); ++i) starts.push_back(weights.start(i));
  return starts;
}
std::vector<int32_t> counts_of(const media::Weights& weights) {
  std::vector<int32_t> counts;
  for (int i = 0; i < weights.num_outputs(); ++i) counts.push_back(weights.count(i));
  return counts;
}
std::span<const int32_t> taps_of(const media::Weights& weights) {
  return {weights.taps(0), weights.max_taps() * static_cast<size_t>(weights.num_outputs())};
}

int64_t blocks_of(const media::jpeg::Plane& plane) {
  return int64_t{plane.blocks_across} * plane.blocks_down;
}

// Where everything of one picture lies.
struct Places {
  size_t scan = 0;
  size_t file = 0;
  std::array<size_t, 3> coefficients = {};
  std::array<size_t, 3> samples = {};
  size_t part = 0;
  size_t between = 0;
};

// Until the stream has done what was asked so far, without keeping a core busy as
// cudaStreamSynchronize does: others read files meanwhile.
void wait_asleep(const c10::cuda::CUDAStream& stream) {
  cudaEvent_t done = nullptr;
  C10_CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventBlockingSync | cudaEventDisableTiming));
  cudaError_t status = cudaEventRecord(done, stream);
  if (status == cudaSuccess) status = cudaEventSynchronize(done);
  cudaEventDestroy(done);
  C10_CUDA_CHECK(status);
}

// The size after the first of two passes.
std::pair<int, int> between_size(const media::Cut& cut) {
  if (cut.plan.passes.size() != 2) return {0, 0};
  const media::ResizePass& first = cut.plan.passes.front();
  const int outputs = first.weights.num_outputs();
  return first.is_vertical ? std::pair(cut.plan.input.width, outputs)
                           : std::pair(outputs, cut.plan.input.height);
}

class Batch {
 public:
  Batch(std::span<const CodedPicture> pictures, at::Device device)
      : pictures_(pictures), device_(device), geometry_(pictures.front().cut->geometry) {
    works_place_ = upload_.reserve(pictures.size() * sizeof(PictureWork));
    for (const CodedPicture& picture : pictures) places_.push_back(places_of(picture));
    flags_place_ = zeros_.reserve(pictures.size() * sizeof(int32_t));
  }

  // [count, height, width, 3]; `left_over` gets those that the CPU should decode.
  at::Tensor decode(std::vector<size_t>& left_over) {
    upload_.open(device_);
    zeros_.open(device_, /*is_zero=*/true);
    scratch_.open(device_, /*is_zero=*/false);
    const auto count = static_cast<int64_t>(pictures_.size());
    at::Tensor result = at::zeros({count, geometry_.height, geometry_.width, 3},
                                  at::TensorOptions().dtype(at::kByte).device(device_));
    put_cuts();
    std::vector<PictureWork> works;
    for (size_t i = 0; i < pictures_.size(); ++i) works.push_back(work_of(i, result));
    upload_.put<PictureWork>(works_place_, works);
    upload_.send();
    launch_pictures(upload_.on_device<PictureWork>(works_place_),
                    static_cast<int32_t>(count),
                    extent_,
                    c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    at::Tensor flags = at::empty({count * static_cast<int64_t>(sizeof(int32_t))},
                                 at::TensorOptions().dtype(at::kByte).pinned_memory(true));
    flags.copy_(zeros_.memory().narrow(0, static_cast<int64_t>(flags_place_), flags.numel()),
                /*non_blocking=*/true);
    wait_asleep(c10::cuda::getCurrentCUDAStream());
    const auto* flag = reinterpret_cast<const int32_t*>(flags.const_data_ptr<uint8_t>());
    for (size_t i = 0; i < pictures_.size(); ++i) {
      if (flag[i] != 0) left_over.push_back(i);
    }
    return result;
  }

 private:
  Places places_of(const CodedPicture& picture) {
    const media::jpeg::Scan& scan = *picture.scan;
    const media::Rectangle& input = picture.cut->plan.input;
    Places places = {.scan = upload_.reserve(sizeof(scan)),
                     .file = upload_.reserve(picture.file.size())};
    int64_t blocks = 0;
    for (size_t i = 0; i < 3; ++i) {
      const auto own = static_cast<size_t>(blocks_of(scan.planes[i]));
      places.coefficients[i] = zeros_.reserve(own * 64 * sizeof(int16_t));
      places.samples[i] = scratch_.reserve(own * 64);
      blocks += static_cast<int64_t>(own);
    }
    const auto [width, height] = between_size(*picture.cut);
    const int64_t part = int64_t{input.width} * input.height, between = int64_t{width} * height;
    places.part = scratch_.reserve(static_cast<size_t>(3 * part));
    places.between = scratch_.reserve(static_cast<size_t>(3 * between));
    const media::Rectangle& window = picture.cut->geometry.window;
    extent_.blocks = std::max(extent_.blocks, blocks);
    extent_.part_pixels = std::max(extent_.part_pixels, part);
    extent_.between_pixels = std::max(extent_.between_pixels, between);
    extent_.result_pixels = std::max(extent_.result_pixels, int64_t{window.width} * window.height);
    auto [entry, is_new] = cuts_.try_emplace(picture.cut);
    for (size_t i = 0; is_new && i < picture.cut->plan.passes.size(); ++i) {
      const media::Weights& weights = picture.cut->plan.passes[i].weights;
      const size_t size = static_cast<size_t>(weights.num_outputs()) * sizeof(int32_t);
      entry->second[i] = {.starts = upload_.reserve(size),
                          .counts = upload_.reserve(size),
                          .taps = upload_.reserve(taps_of(weights).size_bytes())};
    }
    return places;
  }

  void put_cuts() {
    for (const auto& [cut, places] : cuts_) {
      for (size_t i = 0; i < cut->plan.passes.size(); ++i) {
        const media::Weights& weights = cut->plan.passes[i].weights;
        upload_.put<int32_t>(places[i].starts, starts_of(weights));
        upload_.put<int32_t>(places[i].counts, counts_of(weights));
        upload_.put<int32_t>(places[i].taps, taps_of(weights));
      }
    }
  }

  PictureWork work_of(size_t i, const at::Tensor& result) {
    const CodedPicture& picture = pictures_[i];
    const Places& places = places_[i];
    const media::Cut& cut = *picture.cut;
    upload_.put<media::jpeg::Scan>(places.scan, {picture.scan, 1});
    upload_.put<char>(places.file, picture.file);
    PictureWork work = {};
    work.scan = upload_.on_device<media::jpeg::Scan>(places.scan);
    work.file = upload_.on_device<uint8_t>(places.file);
    work.file_size = static_cast<int64_t>(picture.file.size());
    for (size_t p = 0; p < 3; ++p) {
      work.coefficients[p] = zeros_.at_place<int16_t>(places.coefficients[p]);
      work.samples[p] = scratch_.at_place<uint8_t>(places.samples[p]);
    }
    const media::Rectangle& input = cut.plan.input;
    work.left = input.left;
    work.top = input.top;
    auto rows = [](uint8_t* first, int width, int height) {
      return PictureBytes{first, int64_t{3} * width, width, height};
    };
    work.part = rows(scratch_.at_place<uint8_t>(places.part), input.width, input.height);
    const auto [width, height] = between_size(cut);
    work.between = rows(scratch_.at_place<uint8_t>(places.between), width, height);
    work.num_passes = static_cast<int32_t>(cut.plan.passes.size());
    for (size_t p = 0; p < cut.plan.passes.size(); ++p) work.passes[p] = pass_of(cut, p);
    const media::Geometry& geometry = cut.geometry;
    const int64_t stride = int64_t{3} * geometry.width;
    uint8_t* canvas =
        result.data_ptr<uint8_t>() + static_cast<int64_t>(i) * stride * geometry.height;
    work.result = {canvas + geometry.top * stride + int64_t{3} * geometry.left,
                   stride,
                   geometry.window.width,
                   geometry.window.height};
    work.is_left_over = zeros_.at_place<int32_t>(flags_place_) + i;
    return work;
  }

  PictureResizePass pass_of(const media::Cut& cut, size_t number) {
    const media::ResizePass& pass = cut.plan.passes[number];
    const PassPlaces& places = cuts_.at(&cut)[number];
    return {.is_vertical = pass.is_vertical ? 1 : 0,
            .max_taps = static_cast<int32_t>(pass.weights.max_taps()),
            .starts = upload_.on_device<int32_t>(places.starts),
            .counts = upload_.on_device<int32_t>(places.counts),
            .taps = upload_.on_device<int32_t>(places.taps)};
  }

  std::span<const CodedPicture> pictures_;
  at::Device device_;
  const media::Geometry& geometry_;
  Upload upload_;
  Scratch zeros_;
  Scratch scratch_;
  size_t works_place_ = 0;
  size_t flags_place_ = 0;
  std::vector<Places> places_;
  std::map<const media::Cut*, std::array<PassPlaces, 2>> cuts_;
  PictureExtent extent_;
};

std::unique_ptr<DevicePictures> decode(std::span<const CodedPicture> pictures,
                                       const DecodeHere& decode_here,
                                       const NetworkOptions& options) {
  SNELLEN_CHECK(!pictures.empty());
  c10::InferenceMode inference;
  at::Device device(options.device);
  c10::cuda::CUDAGuard on_device(device);
  // In the stream of the forwards: beside them, files that are read one bit after the other would
  // keep a little of every multiprocessor for long, and large products wait for whole ones.
  std::vector<size_t> left_over;
  at::Tensor result = Batch(pictures, c10::cuda::getCurrentCUDAStream().device()).decode(left_over);
  for (size_t i : left_over) {
    std::vector<uint8_t> bytes = decode_here(i);
    at::Tensor place = result.select(0, static_cast<int64_t>(i));
    if (bytes.empty()) {
      place.zero_();
    } else {
      SNELLEN_CHECK(static_cast<int64_t>(bytes.size()) == place.numel());
      place.copy_(at::from_blob(bytes.data(), place.sizes(), at::TensorOptions().dtype(at::kByte)));
    }
  }
  return std::make_unique<Decoded>(std::move(result));
}

}  // namespace

DecodePictures picture_decoder() {
  return decode;
}

const at::Tensor& tensor_of(const DevicePictures& pictures) {
  const auto* ours = dynamic_cast<const Decoded*>(&pictures);
  SNELLEN_CHECK(ours != nullptr);
  return ours->tensor();
}

}  // namespace snellen::models::nn::cuda
