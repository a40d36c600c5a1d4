// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace snellen::inference {

// What lies outside of the library; the program says where.
struct Installation {
  std::filesystem::path module = {};           // with the networks; empty where it is not built
  std::filesystem::path clip_vocabulary = {};  // for open_clip folders without one; may be empty
  std::filesystem::path cache = {};            // of rows, unless a run names another; empty: none
  std::filesystem::path hub = {};              // Hugging Face's cache of checkpoints; may be empty
  // Variables of the environment that decide the bits of a row, one NAME=VALUE per line.
  std::string variables = {};
  // Reads a variable of the environment: keys of served models; empty where it is not set.
  std::function<std::string(const std::string& name)> variable = {};
};

}  // namespace snellen::inference
