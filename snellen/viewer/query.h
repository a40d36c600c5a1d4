// SPDX-License-Identifier: Apache-2.0
// What the fields of a request ask for, checked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "snellen/http/server.h"
#include "snellen/store/browse/item_index.h"
#include "snellen/viewer/viewed_run.h"

namespace snellen::viewer {

// A field as text; empty when it is not there.
std::string text_field(const http::Request& request, const char* name);
// Throws kUsage for what is no number of the range.
uint64_t count_field(const http::Request& request, const char* name, uint64_t usual, uint64_t most);

struct PageOfItems {
  uint64_t number = 0;  // from 0
  size_t size = 50;
  uint64_t offset() const { return number * size; }
};
PageOfItems page_of(const http::Request& request);

constexpr size_t kMostRunsCompared = 6;
// Run ids of the field `runs`, each once. Throws kUsage for none or more than these.
std::vector<std::string> run_ids(const http::Request& request);

// A filter and what keeps its rows alive.
struct AskedFilter {
  store::ItemFilter filter;
  std::shared_ptr<const std::vector<uint8_t>> kept;
  bool needs_index = false;  // more than the task is asked for
};
// `index` may be null: then words and marks are left out. Throws kUsage for a task, part, outcome
// or number that does not exist.
AskedFilter filter_of(const http::Request& request, ViewedRun& run, store::ItemIndex* index);

// The place of a task by name. Throws kNotFound.
uint32_t task_place(const ViewedRun& run, const std::string& name);

}  // namespace snellen::viewer
