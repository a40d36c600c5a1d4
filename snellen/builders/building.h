// SPDX-License-Identifier: Apache-2.0
// What every data-set builder takes and gives back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::builders {

// How a builder works; nothing here changes a byte of what it makes.
struct Workers {
  unsigned num_threads = 1;
  // Called on the builder's own thread: which step, how far, of how much.
  std::function<void(std::string_view step, uint64_t done, uint64_t total)> observe = {};

  void tell(std::string_view step, uint64_t done, uint64_t total) const {
    if (observe) observe(step, done, total);
  }
};

// Records of the sources that were left out: all counted, the first ones kept to be named.
class BadRecords {
 public:
  static constexpr size_t kMostNamed = 1000;

  void add(const Error& error) {
    ++count_;
    if (named_.size() < kMostNamed) named_.push_back(error);
  }
  void add(const std::vector<Error>& errors) {
    for (const Error& error : errors) add(error);
  }
  uint64_t count() const { return count_; }
  const std::vector<Error>& named() const { return named_; }

 private:
  uint64_t count_ = 0;
  std::vector<Error> named_;
};

// One line of the table that stands beside the paper's (docs/spec/probe.md 10).
struct Count {
  std::string set;   // "Probe-R"
  std::string what;  // "groups"
  uint64_t ours = 0;
  std::string paper = {};  // "99,960"; empty where the paper says nothing
};

// What a builder did.
struct BuildReport {
  std::vector<Count> counts;
  BadRecords bad_records;
  std::vector<std::filesystem::path> files;  // written, pictures apart

  // False where groups or items are counted and there is not one.
  bool has_items() const {
    bool is_counted = false;
    for (const Count& count : counts) {
      if (count.what != "groups" && count.what != "items") continue;
      if (count.ours > 0) return true;
      is_counted = true;
    }
    return !is_counted;
  }
};

}  // namespace snellen::builders
