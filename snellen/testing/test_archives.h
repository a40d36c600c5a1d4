// SPDX-License-Identifier: Apache-2.0
// Small gzip and zip files for tests.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>

#include "snellen/base/files.h"

namespace snellen::text::meteor {

// `window_bits` as zlib takes them: 31 a gzip member, -15 bare deflate.
inline std::string deflated(std::string_view text, int window_bits) {
  z_stream z{};
  deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, static_cast<uLong>(text.size())) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.erase(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::string gzipped(std::string_view text) {
  return deflated(text, 31);
}

// An archive of one deflated entry.
inline std::string zipped(std::string_view name, std::string_view text) {
  auto u16 = [](size_t x) {
    return std::string{static_cast<char>(x & 255), static_cast<char>(x >> 8 & 255)};
  };
  auto u32 = [&u16](size_t x) { return u16(x & 65535) + u16(x >> 16); };
  std::string packed = deflated(text, -15);
  auto crc = crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  std::string facts = u16(8) + u32(0) + u32(crc) + u32(packed.size()) + u32(text.size()) +
                      u16(name.size()) + u16(0);
  std::string local = std::string("PK\3\4") + u16(20) + u16(0) + facts + std::string(name) + packed;
  std::string entry = std::string("PK\1\2") + u16(20) + u16(20) + u16(0) + facts + u16(0) + u16(0) +
                      u16(0) + u32(0) + u32(0) + std::string(name);
  std::string end = std::string("PK\5\6") + u16(0) + u16(0) + u16(1) + u16(1) + u32(entry.size()) +
                    u32(local.size()) + u16(0);
  return local + entry + end;
}

// A folder of its own that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("snellen-meteor-" + std::to_string(::getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    write_text_file(path_ / name, bytes);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace snellen::text::meteor
