// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/inference/rows/spill_store.h"
#include "snellen/store/cache/row_cache.h"

namespace snellen::inference {

// What a row is of; part of its key.
enum class Unit : char {
  kVisual = 'v',
  kRawVisual = 'V',  // as the network gives it, before it is made ready to be scored
  kFrames = 'f',
  kText = 't',
  kEnsemble = 'e',  // the mean direction of its prompts, in exact doubles
  kPair = 'p',
  kQuestion = 'q',  // the scores of a visual with several texts, in exact doubles
};

// A visual is said by the key of its content, which is zero where there is none.
ContentKey row_key(Unit unit, const ContentKey& visual, std::string_view text = {});

// Rows that need not be computed, by what they are made of. Below the rows of a plan lie two
// layers: what this process has made, where asks come in parts, and what any process has made with
// the same model on such a machine. Safe from many threads.
class RowStore {
 public:
  struct Options {
    std::filesystem::path folder = {};  // for what the process keeps
    bool keeps_process_rows = false;
    // Model and machine, and where their rows lie; without a scope nothing is read from the disk
    // or written to it: weights in training change.
    std::optional<store::RowCacheOptions> scope = {};
  };
  explicit RowStore(const Options& options);

  enum class Origin { kNone, kProcess, kDisk };

  bool has_layers() const { return process_ || disk_; }
  bool keeps_process_rows() const { return process_ != nullptr; }
  Origin find(const ContentKey& key, std::vector<float>& row) const;
  // To the layers above the one it was found in. Rows that are not finite are not kept.
  void add(const ContentKey& key, std::span<const float> row, Origin found = Origin::kNone);

  // What the process knows by the key of a text, or of a path and what is shown of its file.
  // Why there is no row, and never will be.
  std::optional<Error> failure(const ContentKey& name) const;
  void add_failure(const ContentKey& name, const Error& error);
  // The content of a file that was read before.
  std::optional<ContentKey> content(const ContentKey& name) const;
  void add_content(const ContentKey& name, const ContentKey& content);
  // It was met; false when that was noted before, true where the process keeps nothing.
  bool note(const ContentKey& name);

  store::RowCache* disk() { return disk_.get(); }

 private:
  struct Process {
    explicit Process(const std::filesystem::path& folder)
        : rows(folder, /*max_bytes=*/UINT64_MAX) {}
    SpillStore rows;
    std::mutex mutex;  // guards the following
    std::unordered_map<ContentKey, Error, ContentKeyHash> failures;
    std::unordered_map<ContentKey, ContentKey, ContentKeyHash> contents;
    std::unordered_set<ContentKey, ContentKeyHash> noted;
  };
  std::unique_ptr<Process> process_;
  std::unique_ptr<store::RowCache> disk_;
};

}  // namespace snellen::inference
