// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/inference/rows/spill_store.h"
#include "snellen/models/worker.h"

namespace snellen::inference {

// What was answered to the questions of a plan, by their number, in a nameless file. One thread
// adds; what was added is read from many.
class AnswerStore {
 public:
  explicit AnswerStore(std::filesystem::path folder);
  void add(uint32_t question, const models::WorkerReply& reply);
  // Without the frames; it was added before. Throws kIo where there was no room.
  models::WorkerReply find(uint32_t question) const;

 private:
  SpillStore replies_;
};

}  // namespace snellen::inference
