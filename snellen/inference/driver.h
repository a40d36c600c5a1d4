// SPDX-License-Identifier: Apache-2.0
// A checkpoint folder as a model: works ahead of the items, each distinct picture, clip and text
// once, in the order in which items need them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "snellen/inference/asking_rules.h"

namespace snellen::models {
class Model;
}

namespace snellen::inference {

class PictureClient;
struct OpenedNetwork;

// Where rows are kept between runs.
struct CacheOptions {
  std::filesystem::path folder = {};  // empty: nowhere
  uint64_t max_bytes = 0;
  std::string about = {};    // the model, for people
  std::string machine = {};  // what besides the model decides the bits of a row
};

struct DriverOptions {
  std::string head = {};  // empty: the network's first
  AskingRules rules = {};
  bool is_compat = false;
  bool masks_clips = false;  // clips are shown as zeros
  bool is_on_gpu = false;
  // prepare() will be called again, by a rank that is handed further items: what was made is kept.
  bool is_asked_in_parts = false;
  // Pictures per forward on a GPU, as an earlier process of the run had them; 0: as many as fit.
  // Fewer are taken where so many do not fit.
  uint32_t gpu_batch = 0;
  PictureClient* pictures = nullptr;  // where several models share what is decoded
  unsigned num_threads = 1;
  std::filesystem::path working_folder = {};
  CacheOptions cache = {};
};

std::unique_ptr<models::Model> make_driver(OpenedNetwork opened, const DriverOptions& options);

}  // namespace snellen::inference
