// SPDX-License-Identifier: Apache-2.0
// What a viewer needs to find items of a run quickly: their columns, and the words of their texts.
// Built once from samples.db and kept outside the run folder, which stays as it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "snellen/store/browse/item_columns.h"
#include "snellen/store/database.h"
#include "snellen/store/samples.h"

namespace snellen::store {

struct IndexProgress {
  std::atomic<uint64_t> done = 0;
  std::atomic<uint64_t> total = 0;
  std::atomic<bool> stops = false;  // the builder throws kInterrupted soon after
};

class ItemIndex {
 public:
  // Reads the index of this samples.db from the folder, or builds it; one of a run with few items,
  // or without a folder, is kept in memory alone. Throws what reading the samples throws.
  static std::unique_ptr<ItemIndex> open(const std::filesystem::path& samples,
                                         const std::filesystem::path& folder,
                                         IndexProgress& progress);

  const ItemColumns& columns() const { return columns_; }
  // One byte per row: whether all words are in its texts, each as the beginning of a word. Safe
  // from many threads.
  std::shared_ptr<const std::vector<uint8_t>> rows_with(const std::string& words);

 private:
  ItemIndex(ItemColumns columns, std::unique_ptr<Database> words);

  ItemColumns columns_;
  std::mutex mutex_;  // guards words_ and found_
  std::unique_ptr<Database> words_;
  std::vector<std::pair<std::string, std::shared_ptr<const std::vector<uint8_t>>>> found_;
};

}  // namespace snellen::store
