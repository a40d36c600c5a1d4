// SPDX-License-Identifier: Apache-2.0
// Decodes and cuts JPEG files on a device and here, compares the bytes and times both.
//   pictures_bench libsnellen_networks.so PROCESSOR_FOLDER DEVICE BATCH ROUNDS THREADS FILE_LIST
// Every thread decodes every file ROUNDS times on the device. Prints one JSON line.
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/base/heap.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/read_jpeg_scan.h"
#include "snellen/models/network_module.h"

namespace snellen {
namespace {

using Clock = std::chrono::steady_clock;

struct File {
  std::string bytes = {};
  std::optional<media::jpeg::Scan> scan = {};
  std::optional<media::Cut> cut = {};
  std::vector<uint8_t> expected = {};
};

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Bench {
 public:
  explicit Bench(char** words)
      : module_(words[1]),
        processor_(media::read_processor_config(words[2])),
        options_({.dtype = models::ElementKind::kFloat32, .device = words[3]}),
        batch_(std::stoul(words[4])),
        rounds_(std::stoul(words[5])),
        num_threads_(std::stoul(words[6])) {
    std::ifstream list(words[7]);
    for (std::string path; std::getline(list, path);) read(path);
  }

  int run() {
    if (!module_.picture_decoder()) {
      std::cerr << "the module has no kernels for pictures\n";
      return 3;
    }
    Clock::time_point begin = Clock::now();
    for (File& file : files_) file.expected = decode_here(file);
    const double here = static_cast<double>(files_.size()) / since(begin);
    size_t num_different = 0;
    for (size_t i = 0; i < files_.size(); i += batch_) num_different += num_differ(i);
    const size_t num_left_over = num_left_over_;
    nlohmann::json answer = {{"pictures", files_.size()},
                             {"refused", num_refused_},
                             {"left_over", num_left_over},
                             {"differ", num_different},
                             {"per_second_here", here},
                             {"per_second_there", rate_there()}};
    std::cout << answer << "\n";
    return num_different == 0 ? 0 : 1;
  }

 private:
  void read(const std::string& path) {
    File file = {.bytes = read_text_file(path)};
    file.scan = media::read_jpeg_scan(file.bytes);
    if (file.scan) file.cut = processor_.cut_of(file.scan->width, file.scan->height);
    if (file.cut) {
      files_.push_back(std::move(file));
    } else {
      ++num_refused_;
    }
  }

  std::vector<uint8_t> decode_here(const File& file) const {
    return processor_.to_bytes(media::decode_image(file.bytes, "file").value()).value().pixels;
  }

  std::unique_ptr<models::DevicePictures> decode_there(std::span<const File> files) {
    std::vector<models::CodedPicture> pictures;
    for (const File& file : files) pictures.push_back({file.bytes, &*file.scan, &*file.cut});
    auto here = [&](size_t i) {
      ++num_left_over_;
      return decode_here(files[i]);
    };
    return module_.picture_decoder()(pictures, here, options_);
  }

  std::span<const File> batch_from(size_t begin) const {
    return std::span(files_).subspan(begin, std::min(batch_, files_.size() - begin));
  }

  size_t num_differ(size_t begin) {
    std::span<const File> files = batch_from(begin);
    const std::vector<uint8_t> bytes = decode_there(files)->bytes();
    const size_t size = bytes.size() / files.size();
    size_t count = 0;
    for (size_t i = 0; i < files.size(); ++i) {
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i * size);
      if (!std::equal(files[i].expected.begin(), files[i].expected.end(), first)) ++count;
    }
    return count;
  }

  double rate_there() {
    const Clock::time_point begin = Clock::now();
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < num_threads_; ++t) {
      threads.emplace_back([&] {
        for (size_t round = 0; round < rounds_; ++round) {
          for (size_t i = 0; i < files_.size(); i += batch_) (void)decode_there(batch_from(i));
        }
      });
    }
    threads.clear();
    return static_cast<double>(files_.size() * rounds_ * num_threads_) / since(begin);
  }

  models::NetworkModule module_;
  media::ImageProcessor processor_;
  models::NetworkOptions options_;
  size_t batch_;
  size_t rounds_;
  size_t num_threads_;
  std::vector<File> files_;
  size_t num_refused_ = 0;
  std::atomic<size_t> num_left_over_ = 0;
};

}  // namespace
}  // namespace snellen

int main(int argc, char** argv) {
  if (argc != 8) return 2;
  snellen::keep_freed_memory();  // as the program does
  return snellen::Bench(argv).run();
}
