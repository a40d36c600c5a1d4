// SPDX-License-Identifier: Apache-2.0
// Weight files written by hand, byte by byte, for tests: also those that no program would write.
#pragma once

#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/files.h"

namespace snellen::models::handmade {

inline std::string little_endian(uint64_t value, size_t num_bytes) {
  std::string bytes;
  for (size_t i = 0; i < num_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

inline std::string floats(std::initializer_list<float> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float)};
}

inline std::string safetensors(std::string_view header, std::string_view data) {
  return little_endian(header.size(), 8) + std::string(header) + std::string(data);
}

struct Entry {
  std::string name;
  std::string content;
};

// A zip archive of stored entries.
inline std::string zip(const std::vector<Entry>& entries) {
  std::string archive, directory;
  for (const Entry& entry : entries) {
    uint64_t crc = crc32_z(
        0, reinterpret_cast<const unsigned char*>(entry.content.data()), entry.content.size());
    // Version, flags, method, time, checksum, both sizes, name and extra lengths.
    std::string facts = little_endian(20, 2) + std::string(8, '\0') + little_endian(crc, 4) +
                        little_endian(entry.content.size(), 4) +
                        little_endian(entry.content.size(), 4) +
                        little_endian(entry.name.size(), 2) + std::string(2, '\0');
    directory += "PK\1\2" + little_endian(20, 2) + facts + std::string(10, '\0') +
                 little_endian(archive.size(), 4) + entry.name;
    archive += "PK\3\4" + facts + entry.name + entry.content;
  }
  std::string count = little_endian(entries.size(), 2);
  return archive + directory + "PK\5\6" + std::string(4, '\0') + count + count +
         little_endian(directory.size(), 4) + little_endian(archive.size(), 4) +
         std::string(2, '\0');
}

// Pieces of a pickle.
inline std::string text(std::string_view value) {
  return "X" + little_endian(value.size(), 4) + std::string(value);
}
inline std::string integer(int64_t value) {
  return "\x8a\x08" + little_endian(static_cast<uint64_t>(value), 8);
}
inline std::string integers(const std::vector<int64_t>& values) {
  std::string bytes = "(";
  for (int64_t value : values) bytes += integer(value);
  return bytes + "t";
}
inline std::string global(std::string_view module, std::string_view name) {
  return fmt::format("c{}\n{}\n", module, name);
}

struct Tensor {
  std::string key = "0";
  std::string storage = "FloatStorage";
  int64_t num_stored = 0;
  int64_t offset = 0;
  std::vector<int64_t> shape = {};
  std::vector<int64_t> strides = {};
};

inline std::string pickled(const Tensor& tensor) {
  return global("torch._utils", "_rebuild_tensor_v2") + "((" + text("storage") +
         global("torch", tensor.storage) + text(tensor.key) + text("cpu") +
         integer(tensor.num_stored) + "tQ" + integer(tensor.offset) + integers(tensor.shape) +
         integers(tensor.strides) + "\x89" + global("collections", "OrderedDict") + ")RtR";
}

// A pickled dictionary of pickled values.
inline std::string dictionary(const std::vector<Entry>& items) {
  std::string bytes = "}(";
  for (const Entry& item : items) bytes += text(item.name) + item.content;
  return bytes + "u";
}

inline std::string pickle(const std::string& root) {
  return "\x80\x02" + root + ".";
}

// What torch.save writes: the pickle of `root` and storages.
inline std::string torch_archive(const std::string& root, const std::vector<Entry>& storages) {
  std::vector<Entry> entries = {{"archive/data.pkl", pickle(root)},
                                {"archive/byteorder", "little"}};
  for (const Entry& storage : storages)
    entries.push_back({"archive/data/" + storage.name, storage.content});
  return zip(entries);
}

// A folder that is removed with this object.
class Folder {
 public:
  explicit Folder(std::string_view name)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("snellen_{}_{}", name, ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path put(const std::string& name, std::string_view bytes) const {
    write_text_file(path_ / name, bytes);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace snellen::models::handmade
