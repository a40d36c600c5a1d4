// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace snellen {

// 64-bit FNV-1a: for keys of random streams and in-memory tables, not for trust.
uint64_t fnv1a64(std::string_view bytes);

// SHA-256 (FIPS 180-4), fed piece by piece.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  // Lower-case hex of all bytes added so far; the object may not be used afterwards.
  std::string hex();

 private:
  void compress(const unsigned char* blocks, size_t count);

  std::array<uint32_t, 8> state_;
  std::array<unsigned char, 64> pending_{};
  size_t num_pending_ = 0;
  uint64_t num_bytes_ = 0;
};

std::string sha256_hex(std::string_view bytes);
// Reads in pieces; throws kNotFound when the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace snellen
