// SPDX-License-Identifier: Apache-2.0
// A checkpoint folder as a model of a run: works ahead of the items, each distinct picture, clip
// and text once, in the order in which items need them.
#pragma once

#include <memory>
#include <vector>

#include "snellen/models/model.h"
#include "snellen/inference/backend.h"

namespace snellen::inference {

// An opened folder; what the parts point to is owned here.
struct OpenedNetwork {
  std::unique_ptr<const models::Network> network;
  std::unique_ptr<const text::Tokenizer> tokenizer;
  std::unique_ptr<const media::ImageProcessor> processor;  // null for models of text alone
  std::vector<models::Model::Identity> identity;
  // See NetworkParts; not set on the CPU.
  std::function<std::unique_ptr<models::StagedPixels>(const models::BytePixels&)> stage = {};
  std::function<bool(const std::exception&)> is_out_of_memory = {};
  models::DecodeThere decode = {};
};

// Where rows are remembered between runs.
struct CacheOptions {
  std::filesystem::path folder = {};  // empty: nowhere
  uint64_t max_bytes = 0;
  std::string about = {};    // the model, for people
  std::string machine = {};  // what besides the model decides the bits of a row
};

struct NetworkModelOptions {
  std::string head;  // empty: the network's first
  bool is_compat = false;
  bool masks_clips = false;  // clips are shown as zeros
  bool is_on_gpu = false;
  // prepare() will be called again, by a rank that is handed further items: what was made is kept.
  bool is_asked_in_parts = false;
  uint32_t pretended_memory = 0;  // for tests, see NetworkParts
  SharedPictures::Client* client = nullptr;
  unsigned num_threads = 1;
  std::filesystem::path working_folder;
  CacheOptions cache = {};
};

std::unique_ptr<models::Model> make_network_model(OpenedNetwork opened,
                                                  const NetworkModelOptions& options);

}  // namespace snellen::inference
