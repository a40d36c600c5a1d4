// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "snellen/base/scratch_folder.h"
#include "snellen/config/options.h"

namespace snellen::run {

struct Catalogue;

// Vectors that a task measures texts with, where its settings name the model that gives them: for
// `visdial-gen --bert-model DIR` those of every generation after preprocessing and every reference,
// the last layer at [CLS], 16 tokens at most (docs/spec/visdial.md 3.5). Computed once, before the
// task is opened, into a file that is gone with this object.
class TextVectors {
 public:
  using OnProgress = std::function<void(std::string_view step, uint64_t done, uint64_t total)>;

  // Adds to the options what the task needs to find them. Nothing happens where no settings ask for
  // it. Throws what reading the files or the model throws; kUsage for a model that encodes no texts
  // and where they are given too.
  TextVectors(const Catalogue& catalogue, config::Options& options, const OnProgress& on_progress);

 private:
  std::optional<ScratchFolder> folder_;
};

}  // namespace snellen::run
