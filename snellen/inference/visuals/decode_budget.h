// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace snellen::inference {

// How many decoded bytes a session may hold at once, whatever the number of its threads. Shares are
// given in the order in which they are asked for, so whoever asked first goes on; a picture that is
// larger than the whole budget is decoded alone. Whoever holds a share asks for no second one. Safe
// from many threads.
class DecodeBudget {
 public:
  explicit DecodeBudget(uint64_t bytes) : bytes_(bytes) {}

  // So many that ordinary photos never wait: 64 MiB per core, at least 1 GiB.
  static uint64_t usual_bytes();
  // What decoding a picture holds at its peak, from its header; 0 for bytes that are no picture.
  static uint64_t bytes_to_decode(std::string_view encoded);

  class Share {
   public:
    // Waits for room.
    Share(DecodeBudget& budget, uint64_t bytes);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    DecodeBudget& budget_;
    const uint64_t bytes_;
  };

 private:
  const uint64_t bytes_;
  std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  uint64_t used_ = 0;
  uint64_t num_asked_ = 0;
  uint64_t num_given_ = 0;
};

}  // namespace snellen::inference
