// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // libcrypto's

namespace snellen {

// 64-bit FNV-1a: for keys of random streams, not for trust.
uint64_t fnv1a64(std::string_view bytes);

// SHA-256 (FIPS 180-4), fed piece by piece.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  // Lower-case hex of all bytes added so far; the object may not be used afterwards.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_hex(std::string_view bytes);
// Reads in pieces. Throws kNotFound when the file cannot be opened, kIo when it cannot be read to
// its end.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace snellen
