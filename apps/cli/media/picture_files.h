// SPDX-License-Identifier: Apache-2.0
// Verbs that make pictures from pictures: which files go in, and how those that come out are
// written and counted.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/verb.h"
#include "snellen/base/error.h"
#include "snellen/media/image.h"

namespace snellen::cli {

// Digits compare by value: "2_a" before "10_a".
bool natural_less(std::string_view left, std::string_view right);

struct PictureInputs {
  std::vector<std::filesystem::path> files;    // in natural order
  std::vector<std::filesystem::path> skipped;  // in a folder, but no pictures by their names
};

// Files are taken as they are, of a folder those with a picture's extension. Throws kNotFound for a
// path that is not there, kInvalidInput when there is no picture or two would write the same names.
PictureInputs find_pictures(const std::vector<std::string>& inputs);

// Makes the folder and those above it; throws kIo when that cannot be.
void make_folder(const std::filesystem::path& path);

enum class PictureFormat { kPng, kJpeg };

struct MadePicture {
  std::filesystem::path path;
  media::Image picture;
  PictureFormat format = PictureFormat::kPng;
  bool is_noise = false;  // row filters do not pay
};

// PNG, or JPEG of quality 95 with 4:2:0 chroma, whole or not at all.
void write_picture(const MadePicture& made);

// What was made of one input.
struct MadeFiles {
  std::vector<std::filesystem::path> written;
  std::vector<Error> errors;
};

// Runs `make` for each input on several threads, shows progress, prints what was written (JSON with
// --json) and gives the exit code: 4 when an input failed.
int make_picture_files(const Context& context,
                       const PictureInputs& inputs,
                       unsigned num_threads,
                       const std::filesystem::path& out,
                       const std::function<MadeFiles(size_t)>& make);

// Flags that such verbs share.
struct PictureFlags {
  std::vector<std::string> inputs;
  std::string out;
  uint64_t seed = 0;
  std::string format = "png";
  unsigned num_threads = 0;

  PictureFormat wanted_format() const {
    return format == "png" ? PictureFormat::kPng : PictureFormat::kJpeg;
  }
  std::string_view extension() const { return format == "png" ? "png" : "jpg"; }
  unsigned threads() const;
};

std::vector<config::Option> picture_options();

}  // namespace snellen::cli
