// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/tensor_memory.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <c10/core/CPUAllocator.h>

namespace snellen::models::nn {
namespace {

constexpr size_t kAlignment = 64;           // as torch's own
constexpr size_t kSmall = size_t{1} << 15;  // below, malloc knows best
constexpr uint8_t kPriority = 1;            // above torch's own

// The byte before the tensor says how far its block begins before it: 1 .. 64.
void* take(size_t num_bytes) {
  auto* block = static_cast<unsigned char*>(std::malloc(bytes_taken_for(num_bytes) + kAlignment));
  if (block == nullptr) throw std::bad_alloc();
  const size_t distance = kAlignment - reinterpret_cast<uintptr_t>(block) % kAlignment;
  unsigned char* tensor = block + distance;
  tensor[-1] = static_cast<unsigned char>(distance);
  return tensor;
}

void give_back(void* data) {
  if (data == nullptr) return;
  auto* tensor = static_cast<unsigned char*>(data);
  std::free(tensor - tensor[-1]);
}

class PlainMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t num_bytes) override {
    void* data = num_bytes > 0 ? take(num_bytes) : nullptr;
    return {data, data, &give_back, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  void copy_data(void* to, const void* from, size_t count) const override {
    default_copy_data(to, from, count);
  }
};

}  // namespace

size_t bytes_taken_for(size_t num_bytes) {
  if (num_bytes < kSmall) return num_bytes;
  const size_t step = std::bit_floor(num_bytes) / 8;
  return (num_bytes + step - 1) / step * step;
}

void use_plain_memory() {
  // Torch keeps the address for good.
  static PlainMemory memory;
  c10::SetCPUAllocator(&memory, kPriority);
}

}  // namespace snellen::models::nn
